import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as constants from '@balcao/contract/constants'
import { defaultConfig } from '@balcao/contract/defaults'
import { EMOJIS, MODELOS_IA, NOVA_OPCAO } from '@balcao/contract/modelos'
import { NOMES_EVENTOS } from '@balcao/contract/realtime'
import { rotas } from '@balcao/contract/routes/all'
import { faltasDaLinha, type Produto } from './conferir.ts'
import { lerTabelas } from './tabelas.ts'

/** `docs/spec-coverage.md` and `docs/security.md` say what is true of this product, row by row. */

const RAIZ = join(import.meta.dirname, '..', '..', '..', '..')
const lidos = new Map<string, string | null>()

function ler(arquivo: string): string | null {
  const conhecido = lidos.get(arquivo)
  if (conhecido !== undefined) return conhecido
  const caminho = join(RAIZ, arquivo)
  const texto = existsSync(caminho) ? readFileSync(caminho, 'utf8') : null
  lidos.set(arquivo, texto)
  return texto
}

const produto: Produto = {
  ler,
  rotas,
  eventos: NOMES_EVENTOS,
  numeros: { ...constants, EMOJIS, MODELOS_IA, NOVA_OPCAO, defaultConfig: defaultConfig() },
}

const doc = (nome: string) => lerTabelas(readFileSync(join(RAIZ, 'docs', nome), 'utf8'))

describe.each(['spec-coverage.md', 'security.md'])('docs/%s', (nome) => {
  it('names files, tests, sentences, routes, events and numbers as they are', () => {
    expect(doc(nome).flatMap((linha) => faltasDaLinha(linha, produto))).toEqual([])
  })
})

describe('docs/spec-coverage.md', () => {
  it('has every event of the contract, and every kind of row', () => {
    const linhas = doc('spec-coverage.md')
    const eventos = linhas.filter(({ tipo }) => tipo === 'Event').map(({ celulas }) => celulas.get('Event') ?? '')
    expect(eventos).toHaveLength(NOMES_EVENTOS.length)
    expect(new Set(eventos)).toEqual(new Set(NOMES_EVENTOS.map((evento) => `\`${evento}\``)))
    expect(new Set(linhas.map(({ tipo }) => tipo))).toEqual(new Set(['Rule', 'Sentence', 'Route', 'Event', 'Number']))
  })
})

describe('docs/security.md', () => {
  it('has each rule once, in order', () => {
    const ids = doc('security.md').filter(({ tipo }) => tipo === 'Id')
    const esperados = Array.from({ length: 65 }, (_, i) => `D${i + 1}`).filter((id) => id !== 'D53')
    expect(ids.map(({ celulas }) => celulas.get('Id'))).toEqual(esperados)
  })
})

describe('a row that is not true', () => {
  const FONTE = 'apps/server/src/http/health.ts'
  const link = `[health](../${FONTE})`
  const teste = '[saúde](../apps/server/test/sistema/sistema.test.ts)'
  const faltas = (cabecalho: string, linha: string) =>
    lerTabelas(`| ${cabecalho} |\n|---|\n| ${linha} |`).flatMap((lida) => faltasDaLinha(lida, produto))

  it.each([
    [
      'a sentence nobody says',
      'Sentence | Where | Test | Why',
      `\`Erro que não há\` | ${link} | ${teste} | `,
      'none of the named files',
    ],
    [
      'a sentence said only in a test',
      'Sentence | Where | Test | Why',
      `\`measures the machine\` | ${teste} | ${teste} | `,
      'none of the named files',
    ],
    [
      'one word of a sentence changed',
      'Sentence | Where | Test | Why',
      `\`balcao_fila_de_chegada\` | ${link} | ${teste} | `,
      'none of the named files',
    ],
    [
      'a route that is not in the contract',
      'Route | Where | Test | Why',
      `\`PATCH /config\` | ${link} | ${teste} | `,
      'no row of the contract',
    ],
    [
      'a route under another path',
      'Route | Where | Test | Why',
      `\`GET /produtos/{id}\` | ${link} | ${teste} | `,
      'no row of the contract',
    ],
    ['an event that is not told', 'Event | Where | Test | Why', `\`botMorreu\` | ${link} | ${teste} | `, 'no event'],
    [
      'another value',
      'Number | Name | Value | Where | Test | Why',
      `wait | \`TIMEOUT_HTTP_MS\` | \`14000\` | ${link} | ${teste} | `,
      'is 15000, not 14000',
    ],
    [
      'a number without a constant',
      'Number | Name | Value | Where | Test | Why',
      `wait | \`AVISO.nada\` | \`1\` | ${link} | ${teste} | `,
      'is undefined',
    ],
    [
      'a number that the named file does not read',
      'Number | Name | Value | Where | Test | Why',
      `wait | \`TIMEOUT_HTTP_MS\` | \`15000\` | ${link} | ${teste} | `,
      'none of the named files',
    ],
    [
      'a file that is gone',
      'Rule | Where | Test | Why',
      `x | [a](../apps/server/src/nada.ts) | ${teste} | `,
      'does not exist',
    ],
    [
      'a test that is gone',
      'Rule | Where | Test | Why',
      `x | ${link} | [a](../apps/server/test/nada.test.ts) | `,
      'does not exist',
    ],
    [
      'a title that the test does not have',
      'Rule | Where | Test | Why',
      `x | ${link} | ${teste} “flies” | `,
      'has no “flies”',
    ],
    ['a source where a test belongs', 'Rule | Where | Test | Why', `x | ${link} | ${link} | `, 'is no test'],
    ['neither test nor reason', 'Rule | Where | Test | Why', `x | ${link} |  | `, 'names no test'],
    ['no file at all', 'Rule | Where | Test | Why', `x |  | ${teste} | `, 'names no file'],
    ['a table of another kind', 'Rumour | Where | Test | Why', `x | ${link} | ${teste} | `, 'no known kind'],
  ])('%s', (_nome, cabecalho, linha, esperada) => {
    expect(faltas(cabecalho, linha)).toEqual([expect.stringContaining(esperada)])
  })

  it('is told by its line, and one with a missing cell cannot be read at all', () => {
    expect(faltas('Event | Where | Test | Why', `\`x\` | ${link} | ${teste} | `)[0]).toMatch(/^line 3: /)
    expect(() => lerTabelas('| Rule | Where |\n|---|---|\n| so |')).toThrow('line 3')
  })

  it('is told apart from one that is', () => {
    expect(faltas('Rule | Where | Test | Why', `x | ${link} | ${teste} “measures the machine” | `)).toEqual([])
    expect(faltas('Sentence | Where | Test | Why', `\`balcao_sockets {n} realtime\` | ${link} |  | why`)).toEqual([])
    expect(faltas('Route | Where | Test | Why', `\`GET /produtos/{id}/detalhes\` | ${link} | ${teste} | `)).toEqual([])
  })
})
