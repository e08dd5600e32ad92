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

const merge = (text: string): string => text.replaceAll(/\s+/g, ' ').toLocaleLowerCase('pt-BR')
const lerTodos = (padrao: string): readonly (readonly [string, string])[] =>
  globSync(padrao, { cwd: RAIZ }).map((arquivo) => [arquivo, readFileSync(join(RAIZ, arquivo), 'utf8')])

/** Returns the bold labels of a page. Bold sentences and bold lowercase words are emphasis, not labels. */
function rotulosDe(page: string): readonly string[] {
  return [...page.matchAll(/\*\*([^*]+)\*\*/g)]
    .map(([, said = '']) => said)
    .filter((said) => /^\p{Lu}.*[^.:]$/su.test(said))
}

it('names every button and field as the panel does', () => {
  const fontes = [...lerTodos('apps/web/src/**/*.{ts,tsx}'), ...lerTodos('packages/{contract,engine}/src/**/*.ts')]
  const painel = merge(fontes.map(([, text]) => text).join('\n'))
  const pages = lerTodos('docs/manual/*.md')
  expect(pages.flatMap(([, text]) => rotulosDe(text)).length).toBeGreaterThan(100)
  const errados = pages.flatMap(([arquivo, text]) =>
    rotulosDe(text)
      .filter((label) => !NAO_SAO_DO_PAINEL.has(label) && !painel.includes(merge(label)))
      .map((label) => `${arquivo}: ${label}`),
  )
  expect(errados).toEqual([])
})
