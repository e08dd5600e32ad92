import type { Plugin, Rolldown } from 'vite'

/** Which module draws which address. The router knows it too, but only once it has arrived. */
export const TELAS: Readonly<Record<string, string>> = {
  '/login': 'features/auth/login-screen.tsx',
  '/register': 'features/auth/register-screen.tsx',
  '/forgot-password': 'features/auth/forgot-screen.tsx',
  '/redefinir-senha': 'features/auth/reset-screen.tsx',
  '/terms': 'features/legal/terms-screen.tsx',
  '/privacy': 'features/legal/privacy-screen.tsx',
  '/ajuda': 'features/ajuda/ajuda-screen.tsx',
  '/dashboard': 'app/dashboard-page.tsx',
  '/simulador': 'features/simulador/simulador-screen.tsx',
  '/admin': 'features/admin/admin-screen.tsx',
}

function closure(bundle: Rolldown.OutputBundle, arquivo: string, vistos = new Set<string>()): Set<string> {
  const chunk = bundle[arquivo]
  if (chunk?.type !== 'chunk' || vistos.has(arquivo)) return vistos
  vistos.add(arquivo)
  for (const filho of chunk.imports) closure(bundle, filho, vistos)
  return vistos
}

function chunkOf(bundle: Rolldown.OutputBundle, modulo: string): string | undefined {
  return Object.values(bundle).find(
    (saida) => saida.type === 'chunk' && saida.facadeModuleId?.endsWith(`/src/${modulo}`) === true,
  )?.fileName
}

/**
 * Makes the panel's one page ask for the files of its address at once, beside the router instead of after it: one round trip less
 * before the first paint. Fails the build when a screen is not where it is said to be.
 */
export function routePreloads(): Plugin {
  return {
    name: 'balcao:route-preloads',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_opcoes, bundle) {
        const pagina = bundle['app.html']
        const entrada = Object.values(bundle).find(
          (saida) => saida.type === 'chunk' && saida.isEntry && saida.name === 'app',
        )
        if (pagina?.type !== 'asset' || entrada === undefined) return
        const comuns = closure(bundle, entrada.fileName)
        const mapa = Object.entries(TELAS).map(([rota, modulo]) => {
          const arquivo = chunkOf(bundle, modulo)
          if (arquivo === undefined) return this.error(`no chunk for ${rota}: ${modulo}`)
          return [rota, [...closure(bundle, arquivo)].filter((nome) => !comuns.has(nome))] as const
        })
        const script = `for(const f of ${JSON.stringify(Object.fromEntries(mapa))}[location.pathname]??[]){const l=document.createElement('link');l.rel='modulepreload';l.href='/'+f;document.head.append(l)}`
        // Before the style sheet: a script after it would wait for it.
        pagina.source = pagina.source
          .toString()
          .replace('<script type="module"', (tag) => `<script>${script}</script>\n    ${tag}`)
      },
    },
  }
}
