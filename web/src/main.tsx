import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { serveBelow } from "./api/base-path.ts";
import { App } from "./app/app.tsx";
import { comeBack } from "./app/come-back.ts";
import { printWhenLoaded } from "./app/print-when-loaded.ts";
import { applyTheme } from "./app/theme.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./ui/ui.css";
import { keepPageOnDrop } from "./ui/use-drop.ts";

serveBelow(document.querySelector('meta[name="base-path"]')?.getAttribute("content") ?? "");
comeBack();
applyTheme();
printWhenLoaded();
keepPageOnDrop();
const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
