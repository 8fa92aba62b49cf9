# Node runs the TypeScript files of the service without a build, so this stage only installs dependencies.
# The tag is the version in .node-version. The slim image has glibc, which the binary of better-sqlite3 needs.
FROM node:24.21.0-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/trim-modules.ts ./scripts/
RUN npm ci --omit=dev --workspaces=false --ignore-scripts && node scripts/trim-modules.ts --image

# Builds the page, whose packages are not in the image.
FROM node:24.21.0-slim AS page
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web ./web
RUN npm ci --workspace web --include=dev --ignore-scripts
COPY src/util ./src/util
COPY src/words ./src/words
RUN npm run build:web

FROM node:24.21.0-slim
# With this HOST the service starts only if ALLOW_ANONYMOUS=1 is set. compose.yaml explains when that is safe.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY src ./src
COPY prompts ./prompts
COPY --from=page /app/web/dist ./web/dist
# There is no corpus: to search a folder, mount it at /corpus and set CORPUS_DIR=/corpus.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1, so it receives the signal. The service then drains its runs and exits.
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=40", "src/server.ts"]
