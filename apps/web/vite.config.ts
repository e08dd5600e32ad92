import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractRows } from './scripts/contract-rows.ts'
import { manual } from './scripts/manual.ts'
import { pwa } from './scripts/pwa.ts'
import { routePreloads } from './scripts/route-preloads.ts'
import { landingPrerender } from './src/landing/prerender-plugin.ts'

const pagina = (nome: string): string => fileURLToPath(new URL(nome, import.meta.url))

/** Pieces too small to travel alone; each group is what the same screens ask for. */
const GRUPOS = [
  {
    name: 'miudos',
    test: /lucide-react.*(createLucideIcon|Icon|icons.(info|x|circle-check|circle-exclamation-point))\.m?js|\/shared\/(hooks\/use-(media-query|title)|avisos|format)\.tsx?$/,
    includeDependenciesRecursively: false,
  },
  {
    name: 'status',
    test: /contract\/src\/(status-bot|sync\/(registros|bot-status))\.ts$|\/shared\/dados\/(chaves|bot-status)\.ts$/,
    includeDependenciesRecursively: false,
  },
  {
    name: 'administracao',
    test: /lucide-react.*icons.(activity|user-plus|message-square-text|arrow-right|chevron-right)\.m?js|\/shared\/ui\/meter\.tsx/,
    includeDependenciesRecursively: false,
  },
  { name: 'campos', test: /\/shared\/ui\/(field|text-field)\.tsx/, includeDependenciesRecursively: false },
  {
    name: 'entrada',
    test: /features\/auth\/(auth-layout|use-envio|use-registro-aberto|recusa-do-formulario|nova-senha|cadastro|forca-da-senha)\.tsx?$|\/shared\/ui\/(recado|password-field|checkbox)\.tsx|lucide-react.*icons.(eye|clock\.)/,
    includeDependenciesRecursively: false,
  },
  {
    name: 'listas',
    test: /lucide-react.*icons.(arrow-(up|down)|ellipsis-vertical|grip-vertical|pencil|plus|trash-2|trash)\.m?js|\/shared\/ui\/stat-card\.tsx/,
    includeDependenciesRecursively: false,
  },
  {
    name: 'sinais',
    test: /lucide-react.*icons.(check|play|square|pause|refresh-cw|download|chevron-down|bot)\.m?js/,
    includeDependenciesRecursively: false,
  },
  {
    name: 'previa',
    test: /\/shared\/preview\/(?!formatar)|\/engine\/src\/(?!rules\/(opcoes|texto|abre-e-fecha))/,
    includeDependenciesRecursively: false,
  },
  {
    name: 'edicao',
    test: /\/shared\/(hooks\/use-unsaved-guard|ui\/(save-bar|counter))\.tsx?$|react-router.*useBlocker|lucide-react.*icons.rotate-ccw\.m?js/,
    includeDependenciesRecursively: false,
  },
]

export default defineConfig({
  plugins: [react(), contractRows(), tailwindcss(), landingPrerender(), manual(), routePreloads(), pwa()],
  build: {
    target: 'es2023',
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['z'] },
      input: { index: pagina('index.html'), app: pagina('app.html') },
      output: {
        // Each name stands in the lists that say what to fetch with what, which every page brings: the hash alone is enough.
        chunkFileNames: 'assets/[hash:8].js',
        codeSplitting: { groups: GRUPOS },
      },
    },
  },
  server: {
    port: 5173,
    proxy: {
      '/api': 'http://127.0.0.1:3000',
      '/socket.io': { target: 'http://127.0.0.1:3000', ws: true },
    },
  },
})
