# All services in one image; compose.yaml says which one a container runs.
FROM node:22-bookworm-slim AS build
WORKDIR /app
# The packages are installed anew only when what names them changes.
COPY package.json package-lock.json .npmrc ./
COPY shared/package.json shared/
COPY services/catalog/package.json services/catalog/
COPY services/frontdoor/package.json services/frontdoor/
COPY services/inventory-shard/package.json services/inventory-shard/
COPY services/notifier/package.json services/notifier/
COPY web/package.json web/
RUN npm ci --no-audit --no-fund
COPY scripts scripts
COPY shared shared
COPY services services
COPY web web
RUN npm run build && npm prune --omit=dev
# The server library brings a binary for every platform: one of them is for here.
RUN find node_modules/uWebSockets.js/dist/bin -name '*.node' \
  ! -name "uws_linux_$(node -p process.arch)_$(node -p process.versions.modules).node" -delete

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/scripts/parterre.mjs ./scripts/
RUN mkdir .parterre && chown node:node .parterre
USER node
ENTRYPOINT ["node", "--enable-source-maps", "--min-semi-space-size=16", "--max-semi-space-size=32"]
CMD ["dist/frontdoor.js"]
