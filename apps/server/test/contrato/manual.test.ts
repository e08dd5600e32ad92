import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** The owner's manual names what is on screen: a button that was renamed is renamed there too. */

const RAIZ = join(import.meta.dirname, '..', '..', '..', '..')
/** Bold because they matter, or named by somebody else's screen. */
const NAO_SAO_DO_PAINEL = new Set([
  'Dono da conta',
  'Nem depois',
  'Apagar não tem volta',
  'Chave (API Key)',
  'Adicionar à tela inicial',
  'Instalar aplicativo',
])

const juntar = (texto: string): string => texto.replaceAll(/\s+/g, ' ').toLocaleLowerCase('pt-BR')
const lerTodos = (padrao: string): readonly (readonly [string, string])[] =>
  globSync(padrao, { cwd: RAIZ }).map((arquivo) => [arquivo, readFileSync(join(RAIZ, arquivo), 'utf8')])

/** Bold that is a sentence or opens one is no label. */
function rotulosDe(pagina: string): readonly string[] {
  return [...pagina.matchAll(/\*\*([^*]+)\*\*/g)].map(([, dito = '']) => dito).filter((dito) => !/[.:]$/.test(dito))
}

it('calls every button and every field of the panel by the name it has', () => {
  const fontes = [...lerTodos('apps/web/src/**/*.{ts,tsx}'), ...lerTodos('packages/{contract,engine}/src/**/*.ts')]
  const painel = juntar(fontes.map(([, texto]) => texto).join('\n'))
  const paginas = lerTodos('docs/manual/*.md')
  expect(paginas.flatMap(([, texto]) => rotulosDe(texto)).length).toBeGreaterThan(100)
  const errados = paginas.flatMap(([arquivo, texto]) =>
    rotulosDe(texto)
      .filter((rotulo) => !NAO_SAO_DO_PAINEL.has(rotulo) && !painel.includes(juntar(rotulo)))
      .map((rotulo) => `${arquivo}: ${rotulo}`),
  )
  expect(errados).toEqual([])
})
