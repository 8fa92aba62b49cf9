# Node runs the TypeScript files as they are: there is nothing to build, only dependencies to install.
# The tag is the version in .node-version; slim has glibc, for which better-sqlite3 ships its binary.
FROM node:24.21.0-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:24.21.0-slim
# An address outside loopback is served only with ALLOW_ANONYMOUS=1: see compose.yaml.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data CORPUS_DIR=/corpus
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY src ./src
COPY prompts ./prompts
# The documents that a first question can be asked about; mount a folder of your own over /corpus.
COPY docs /corpus
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1: the signal reaches the service, which drains its runs and ends.
STOPSIGNAL SIGTERM
CMD ["node", "src/server.ts"]
