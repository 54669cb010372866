# All services in one image; compose.yaml says which one a container runs.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --no-audit --no-fund && npm run build && npm prune --omit=dev

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir .parterre && chown node:node .parterre
USER node
ENTRYPOINT ["node", "--enable-source-maps"]
CMD ["dist/frontdoor.js"]
