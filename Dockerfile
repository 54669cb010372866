# All services in one image. The command of a container names its service (compose.yaml).
FROM node:22.23.2-bookworm-slim AS build
WORKDIR /app
# Docker repeats the installation only when one of these files changes.
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
# The server library has a binary for every platform. The image keeps its own.
RUN find node_modules/uWebSockets.js/dist/bin -name '*.node' \
  ! -name "uws_linux_$(node -p process.arch)_$(node -p process.versions.modules).node" -delete

FROM node:22.23.2-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/scripts/parterre.mjs ./scripts/
# The licence of Parterre and of native programs within the image, with their notices.
COPY LICENSE THIRD-PARTY.md ./
# No service installs anything. Fewer programs help fewer intruders.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn-* /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
  /usr/local/bin/yarn /usr/local/bin/yarnpkg && mkdir .parterre && chown node:node .parterre
USER node
ENTRYPOINT ["node", "--enable-source-maps", "--min-semi-space-size=16", "--max-semi-space-size=32", "--no-allocation-site-pretenuring"]
CMD ["dist/frontdoor.js"]
