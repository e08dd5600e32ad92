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

/** What the first screen of each tab of the panel is made of. */
export const ABAS: Readonly<Record<string, readonly string[]>> = {
  geral: ['geral/geral-tab', 'geral/checklist', 'geral/configuracao-do-sistema', 'geral/recolhidos'],
  atendimento: ['atendimento/atendimento-tab'],
  mensagens: ['mensagens/mensagens-tab'],
  ia: ['ia/ia-tab', 'ia/ajustes'],
  loja: ['loja/loja-tab'],
  logs: ['logs/logs-tab'],
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
    (saida) => saida.type === 'chunk' && saida.moduleIds.some((id) => id.endsWith(`/src/${modulo}`)),
  )?.fileName
}

/**
 * Runs in the page before anything else. `F` are the files, `T` those of each address, `A` those of each tab. A page that a
 * service worker stands behind has them at hand: asking early would only cost time.
 */
const SCRIPT = `if(!navigator.serviceWorker?.controller){const p=location.pathname,a=new URLSearchParams(location.search).get('aba')||'geral'
for(const i of new Set([...(T[p]??[]),...((p==='/dashboard'&&A[a])||[])])){const l=document.createElement('link');l.rel='modulepreload';l.href='/assets/'+F[i]+'.js';document.head.append(l)}}`

/**
 * Makes the panel's one page ask for the files of its address at once, beside the router instead of after it: one round trip less
 * before the first paint, and another before the tab. Fails the build when a screen is not where it is said to be.
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
        const arquivos: string[] = []
        const numeroDe = (arquivo: string): number => {
          const nome = arquivo.replace(/^assets\/|\.js$/g, '')
          if (!arquivos.includes(nome)) arquivos.push(nome)
          return arquivos.indexOf(nome)
        }
        const numerosDe = (modulos: readonly string[]): number[] => {
          const nomes = new Set<string>()
          for (const modulo of modulos) {
            const arquivo = chunkOf(bundle, modulo)
            if (arquivo === undefined) return this.error(`no chunk for ${modulo}`)
            closure(bundle, arquivo, nomes)
          }
          return [...nomes].filter((nome) => !comuns.has(nome)).map(numeroDe)
        }
        const telas = Object.entries(TELAS).map(([rota, modulo]) => [rota, numerosDe([modulo])])
        const abas = Object.entries(ABAS).map(([aba, modulos]) => [
          aba,
          numerosDe(modulos.map((modulo) => `features/${modulo}.tsx`)),
        ])
        const [T, A] = [Object.fromEntries(telas), Object.fromEntries(abas)].map((mapa) => JSON.stringify(mapa))
        const script = `{const F=${JSON.stringify(arquivos)},T=${T},A=${A};${SCRIPT}}`
        // Before the style sheet: a script after it would wait for it.
        pagina.source = pagina.source
          .toString()
          .replace('<script type="module"', (tag) => `<script>${script}</script>\n    ${tag}`)
      },
    },
  }
}
