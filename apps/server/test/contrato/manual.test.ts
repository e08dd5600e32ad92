import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** Labels in bold in the manual must exist in the panel's sources. */

const RAIZ = join(import.meta.dirname, '..', '..', '..', '..')
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

/** Returns the bold labels of a page. Bold sentences and bold lowercase words are emphasis, not labels. */
function rotulosDe(pagina: string): readonly string[] {
  return [...pagina.matchAll(/\*\*([^*]+)\*\*/g)]
    .map(([, dito = '']) => dito)
    .filter((dito) => /^\p{Lu}.*[^.:]$/su.test(dito))
}

it('names every button and field as the panel does', () => {
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
