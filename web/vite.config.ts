import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const API = /^\/(?:session|research|threads|graphs|sources|corpus|healthz|readyz|openapi\.json|docs)(?:[/?]|$)/;

/** Writes each file of the build also as Brotli and gzip, which the service sends to browsers that accept them. */
const compress: Plugin = {
  name: "compress",
  apply: "build",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        const content = file.type === "chunk" ? file.code : file.source;
        this.emitFile({ type: "asset", fileName: `${fileName}.br`, source: brotliCompressSync(content) });
        this.emitFile({ type: "asset", fileName: `${fileName}.gz`, source: gzipSync(content) });
      }
    },
  },
};

export default defineConfig({
  // The server writes the addresses of the page's files, which stand under the path of a reverse proxy.
  base: "./",
  plugins: [react(), compress],
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        entryFileNames: "assets/[name]-[hash].js",
        chunkFileNames: "assets/[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
      },
    },
  },
  // `npm run dev` in this folder serves the sources, with the API of a service on port 3000.
  server: { host: "127.0.0.1", fs: { allow: [".."] }, proxy: { [API.source]: "http://127.0.0.1:3000" } },
});
