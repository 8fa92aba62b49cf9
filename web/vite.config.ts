import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const API = /^\/(?:session|research|threads|graphs|sources|corpus|healthz|readyz|openapi\.json|docs)(?:[/?]|$)/;

// The output is committed, so it must depend on nothing but the sources.
export default defineConfig({
  // The server writes the addresses of the page's files, which stand under the path of a reverse proxy.
  base: "./",
  plugins: [react()],
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
