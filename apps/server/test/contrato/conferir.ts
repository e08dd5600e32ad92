import { isDeepStrictEqual } from 'node:util'
import type { RouteShape } from '@balcao/contract/define-route'
import { lerCodigo, lerLigacoes, type Linha, pedacosFixos } from './tabelas.ts'

/** What a document is held against. */
export interface Produto {
  /** The text of a file of the project, or null when there is none. */
  readonly ler: (arquivo: string) => string | null
  readonly rotas: Readonly<Record<string, RouteShape>>
  readonly eventos: readonly string[]
  /** Constants by name; groups of them are nested. */
  readonly numeros: Readonly<Record<string, unknown>>
}

const TESTE = /\.test\.tsx?$/
const FONTE = /^(apps|packages)\/[\w-]+\/(src|migrations|scripts)\//

/** Every way in which a row is not true, each as one sentence. None: it holds. */
export function faltasDaLinha(linha: Linha, produto: Produto): string[] {
  const faltas = [...faltasDasLigacoes(linha, produto), ...faltasDoTipo(linha, produto)]
  return faltas.map((falta) => `line ${linha.numero}: ${falta}`)
}

function cell({ celulas }: Linha, coluna: string): string {
  return celulas.get(coluna) ?? ''
}

/** Files and titles must exist, and a row says either what holds it or why nothing does. */
function faltasDasLigacoes(linha: Linha, { ler }: Produto): string[] {
  const faltas: string[] = []
  const lugares = lerLigacoes(cell(linha, 'Where'))
  const testes = lerLigacoes(cell(linha, 'Test'))
  const porque = cell(linha, 'Why')
  if (lugares.length === 0 && porque === '') faltas.push('names no file and gives no reason')
  if (testes.length === 0 && porque === '') faltas.push('names no test and gives no reason')
  for (const { arquivo, titulos } of [...lugares, ...testes]) {
    const texto = ler(arquivo)
    if (texto === null) faltas.push(`${arquivo} does not exist`)
    for (const titulo of titulos) {
      if (texto !== null && !texto.includes(titulo)) faltas.push(`${arquivo} has no “${titulo}”`)
    }
  }
  for (const { arquivo } of testes) if (!TESTE.test(arquivo)) faltas.push(`${arquivo} is no test`)
  return faltas
}

function faltasDoTipo(linha: Linha, produto: Produto): string[] {
  switch (linha.tipo) {
    case 'Sentence':
      return faltasDaFrase(linha, produto)
    case 'Route':
      return faltasDaRota(linha, produto)
    case 'Event':
      return faltasDoEvento(linha, produto)
    case 'Number':
      return faltasDoNumero(linha, produto)
    case 'Rule':
    case 'Id':
      return []
    default:
      return [`a table of “${linha.tipo}” is of no known kind`]
  }
}

function sourcesOf(linha: Linha, { ler }: Produto): string[] {
  return lerLigacoes(cell(linha, 'Where'))
    .filter(({ arquivo }) => FONTE.test(arquivo) && !TESTE.test(arquivo))
    .map(({ arquivo }) => ler(arquivo) ?? '')
}

function faltasDaFrase(linha: Linha, produto: Produto): string[] {
  const frase = lerCodigo(cell(linha, 'Sentence'))
  if (frase === null) return ['quotes no sentence']
  const pedacos = pedacosFixos(frase)
  const dita = sourcesOf(linha, produto).some((texto) => pedacos.every((pedaco) => texto.includes(pedaco)))
  return dita ? [] : [`“${frase}” is in none of the named files`]
}

function semNomes(path: string): string {
  return path.replace(/:\w+|\{\w+\}/g, '*')
}

function faltasDaRota(linha: Linha, { rotas }: Produto): string[] {
  const rota = lerCodigo(cell(linha, 'Route')) ?? ''
  const [method, path = ''] = rota.split(' ')
  const row = Object.values(rotas).find((row) => row.method === method && semNomes(row.path) === semNomes(path))
  return row === undefined ? [`${rota} is no row of the contract`] : []
}

function faltasDoEvento(linha: Linha, { eventos }: Produto): string[] {
  const evento = lerCodigo(cell(linha, 'Event')) ?? ''
  return eventos.includes(evento) ? [] : [`${evento} is no event of the contract`]
}

/** `a.b` of the constants; `length` is that of a list. */
function valueAt(numeros: unknown, caminho: string): unknown {
  let valor = numeros
  for (const nome of caminho.split('.')) {
    if (Array.isArray(valor)) valor = nome === 'length' ? valor.length : undefined
    else valor = new Map<string, unknown>(Object.entries(valor ?? {})).get(nome)
  }
  return valor
}

function faltasDoNumero(linha: Linha, produto: Produto): string[] {
  const nome = lerCodigo(cell(linha, 'Name'))
  const escrito = lerCodigo(cell(linha, 'Value'))
  if (nome === null || escrito === null) return ['gives no name or no value']
  const valor = valueAt(produto.numeros, nome)
  if (!isDeepStrictEqual(valor, JSON.parse(escrito))) return [`${nome} is ${JSON.stringify(valor)}, not ${escrito}`]
  const [raiz = ''] = nome.split('.')
  // A constant that nothing reads is a number of no product.
  const lida = sourcesOf(linha, produto).some((texto) => texto.includes(raiz))
  return lida ? [] : [`${raiz} is in none of the named files`]
}
