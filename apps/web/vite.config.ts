import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { bareRoutes } from './scripts/bare-routes.ts'
import { groupShared } from './scripts/chunks.ts'
import { customerPages } from './scripts/customer-pages.ts'
import { manual } from './scripts/manual.ts'
import { precompress } from './scripts/precompress.ts'
import { preloadScreens } from './scripts/preload-screens.ts'
import { pwa } from './scripts/pwa.ts'
import { framePrerender } from './src/app/frame/frame-plugin.ts'
import { landingPrerender } from './src/landing/prerender-plugin.ts'

const page = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export default defineConfig({
  plugins: [
    react(),
    bareRoutes(),
    tailwindcss(),
    landingPrerender(),
    framePrerender(),
    manual(),
    preloadScreens(),
    pwa(),
    customerPages(),
    precompress(),
  ],
  build: {
    target: 'es2023',
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['z'] },
      input: { index: page('index.html'), app: page('app.html') },
      output: {
        chunkFileNames: 'assets/[hash:8].js',
        codeSplitting: {
          groups: [{ debugName: 'shared', name: groupShared(), includeDependenciesRecursively: false }],
        },
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
