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

/** A group of pieces, by what their paths have in them. */
const grupo = (name: string, ...partes: readonly RegExp[]) => ({
  name,
  test: new RegExp(partes.map(({ source }) => source).join('|')),
  includeDependenciesRecursively: false,
})

/**
 * Pieces too small to travel alone; each group is what the same screens ask for. Every file costs a slow phone some milliseconds,
 * before it is read: asking, connecting it with the others, answering.
 */
const GRUPOS = [
  grupo(
    'miudos',
    /lucide-react.*(createLucideIcon|Icon|icons.(info|x|circle-check|circle-exclamation-point))\.m?js/,
    /\/shared\/(hooks\/use-(media-query|title)|avisos|format)\.tsx?$/,
  ),
  grupo(
    'status',
    /contract\/src\/(status-bot|routes\/(bot|config|atendimento))\.ts$/,
    /\/shared\/dados\/(chaves|bot-status|erro|acoes-bot|avisos-do-status|sincronia|config(-vazia|-escrita)?|copia-config)\.ts$|lucide-react.*icons.(headset|store)\.m?js/,
  ),
  grupo(
    'consultas',
    /query-core.*queryObserver|react-query.*(IsRestoringProvider|QueryErrorResetBoundary|errorBoundaryUtils|suspense|useBaseQuery|useQuery|queryOptions)\.js/,
    /lucide-react.*icons.(log-out|scroll-text|search|sliders-horizontal)\.m?js|\/shared\/ui\/chip\.tsx/,
  ),
  grupo(
    'administracao',
    /lucide-react.*icons.(activity|user-plus|message-square-text|arrow-right|chevron-right)\.m?js|\/shared\/ui\/meter\.tsx/,
  ),
  grupo(
    'pecas',
    /\/shared\/(ui\/(field|text-field|theme-toggle|icon-button|logo)\.tsx|hooks\/use-theme\.ts)|lucide-react.*icons.(moon|sun)\.m?js/,
  ),
  grupo(
    'entrada',
    /features\/auth\/(auth-layout|use-envio|use-registro-aberto|recusa-do-formulario|nova-senha|cadastro|forca-da-senha)\.tsx?$/,
    /\/shared\/ui\/(recado|password-field|checkbox)\.tsx|lucide-react.*icons.(eye|clock\.)/,
  ),
  grupo(
    'listas',
    /lucide-react.*icons.(arrow-(up|down)|ellipsis-vertical|grip-vertical|pencil|plus|trash-2|trash)\.m?js/,
    /\/shared\/ui\/stat-card\.tsx/,
  ),
  grupo(
    'sinais',
    /lucide-react.*icons.(check|play|square|pause|refresh-cw|download|chevron-down|bot|copy)\.m?js/,
    /\/shared\/ui\/(confirmar|select|sair-sem-salvar)\.tsx/,
  ),
  // What stands below the first screen of geral comes in one file.
  grupo(
    'geral-depois',
    /features\/geral\/(checklist|passos|primeiros-passos|sugestao-da-ia|historico|recolhidos|lgpd\/secao)\.tsx?$|\/shared\/dados\/versoes-config\.ts/,
    /features\/geral\/(configuracao-do-sistema|use-oficial|webhook-oficial|api-oficial)\.tsx?$|contract\/src\/routes\/oficial\.ts/,
    /lucide-react.*icons.(circle|save)\.m?js/,
  ),
  // What every screen brings once it stands: notices, and the bar of who is offline.
  grupo('moldura', /react-hot-toast|\/shared\/(ui\/toasts|offline\/(offline-bar|worker))\.tsx?$/),
  grupo('plantao', /\/features\/atendimento\/(plantao|uma-so-janela|avisar-chegada|preferencias|som)\.tsx?$/),
  grupo('previa', /\/shared\/preview\/(?!formatar)|\/engine\/src\/(?!rules\/(opcoes|texto|abre-e-fecha))/),
  grupo(
    'edicao',
    /\/shared\/(hooks\/use-unsaved-guard|ui\/(save-bar|counter))\.tsx?$|react-router.*useBlocker|lucide-react.*icons.rotate-ccw\.m?js/,
  ),
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
