import type { AvisoConfig, MenuConfig, OpcaoMenu, Setor } from '@balcao/contract/entities/config'
import { type OpcaoLine, readOpcaoLine } from '#rules/opcoes.ts'
import { foldedPhrase, wordsOf } from '#rules/text.ts'

type MenuParts = Pick<MenuConfig, 'menuPrincipal'> & { readonly opcoes: readonly OpcaoMenu[] }

/** `linha`: index of the line in the text. `opcao`: index of the option. */
export interface MenuAviso extends AvisoConfig {
  readonly linha?: number
  readonly opcao?: number
}

interface TypedLine extends OpcaoLine {
  readonly linha: number
  readonly bare: boolean
}

const SEPARATOR = /^\s*[-–—.):\]*_~>=|]/
const QUOTED_MAX = 60

/**
 * Finds what the menu promises and does not keep: lines of the text without an option or with another title, options
 * without an answer, and options of setores that no person serves.
 */
export function findMenuAvisos(menu: MenuParts, semPessoas: readonly Pick<Setor, 'id' | 'nome'>[]): MenuAviso[] {
  return [...avisosOfText(menu), ...avisosOfOpcoes(menu.opcoes, semPessoas)]
}

/** Lines that offer an option, existing or not. A number without a separator counts in a text that lists so. */
function typedLines({ menuPrincipal, opcoes }: MenuParts): TypedLine[] {
  const known = new Set(opcoes.map(({ numero }) => Number(numero)))
  const lines = menuPrincipal.split('\n').flatMap((line, linha): TypedLine[] => {
    const read = readOpcaoLine(line)
    return read === null ? [] : [{ ...read, linha, bare: !line.includes('\u20e3') && !SEPARATOR.test(read.rest) }]
  })
  const listsBare = lines.some(({ bare, numero }) => bare && known.has(numero))
  return lines.filter(({ numero, bare, rest }) => {
    if (known.has(numero)) return true
    // '8 - 18h' and '100% natural' offer no option.
    return bare ? listsBare && /^\s+\P{N}/u.test(rest) : /^\P{N}*\p{L}/u.test(rest)
  })
}

function avisosOfText(menu: MenuParts): MenuAviso[] {
  return typedLines(menu).flatMap(({ linha, numero, rest }): MenuAviso[] => {
    const index = menu.opcoes.findIndex((opcao) => Number(opcao.numero) === numero)
    const opcao = menu.opcoes[index]
    const typed = wordsOf(rest).join(' ')
    if (opcao === undefined) {
      const mensagem = `O texto do menu oferece a opção ${numero}${quoted(rest)}, que não existe.`
      return [{ caminho: 'menu.menuPrincipal', codigo: 'opcaoNoTextoNaoExiste', mensagem, linha }]
    }
    // Options '1' and '01' may both exist.
    const offered = menu.opcoes.filter((other) => Number(other.numero) === numero)
    if (typed === '' || offered.some(({ titulo }) => startsWithTitle(typed, titulo))) return []
    const mensagem = `O texto do menu chama a opção ${opcao.numero} de${quoted(rest)}, mas o título dela é${quoted(opcao.titulo)}.`
    return [{ caminho: `menu.opcoes.${index}.titulo`, codigo: 'opcaoRenomeada', mensagem, linha, opcao: index }]
  })
}

/** The text may say more than the title: 'Pedidos (bolos e pães)' for 'Pedidos'. */
function startsWithTitle(typed: string, titulo: string): boolean {
  const title = foldedPhrase(titulo)
  return title === '' || `${typed} `.startsWith(`${title} `)
}

function quoted(text: string): string {
  const clean = text.slice(0, 2 * QUOTED_MAX).replace(/^[^\p{L}\p{N}]+/u, '')
  const title = clean.replaceAll(/[*_~]/g, '').trim()
  if (title === '') return ''
  return ` “${title.length > QUOTED_MAX ? `${title.slice(0, QUOTED_MAX)}…` : title}”`
}

function avisosOfOpcoes(opcoes: readonly OpcaoMenu[], semPessoas: readonly Pick<Setor, 'id' | 'nome'>[]): MenuAviso[] {
  return opcoes.flatMap(({ numero, tipo, resposta, setor }, opcao): MenuAviso[] => {
    if (tipo === 'mensagem' && resposta.trim() === '') {
      const mensagem = `A opção ${numero} não tem resposta: o cliente só recebe o menu de novo.`
      return [{ caminho: `menu.opcoes.${opcao}.resposta`, codigo: 'opcaoSemSaida', mensagem, opcao }]
    }
    const empty = tipo === 'humano' ? semPessoas.find(({ id }) => id === setor) : undefined
    if (empty === undefined) return []
    const mensagem = `A opção ${numero} leva ao setor ${empty.nome}, que ninguém da equipe atende.`
    return [{ caminho: `menu.opcoes.${opcao}.setor`, codigo: 'setorSemPessoas', mensagem, opcao }]
  })
}

export function removeMenuLine(menuPrincipal: string, linha: number): string {
  return keptText(menuPrincipal.split('\n').toSpliced(linha, 1))
}

/** Removes every line that offers an option. The bot adds the list of options itself. */
export function removeTypedOpcoes(menu: MenuParts): string {
  const typed = new Set(typedLines(menu).map(({ linha }) => linha))
  return keptText(menu.menuPrincipal.split('\n').filter((_line, index) => !typed.has(index)))
}

/** Keeps the number and the marks of the line. */
export function retitleMenuLine(menuPrincipal: string, linha: number, titulo: string): string {
  const lines = menuPrincipal.split('\n')
  const line = lines[linha] ?? ''
  const [head = ''] = /^[^\p{L}\p{N}]*\d(?:[\ufe0f\u20e3]*\d){0,2}[\s\ufe0f\u20e3*_~>=|.:)\]–—-]*/u.exec(line) ?? []
  const [tail = ''] = /(?<![*_~])[*_~]+$/.exec(line.slice(head.length)) ?? []
  const gap = /[\d\ufe0f\u20e3]$/.test(head) ? ' ' : ''
  return lines.with(linha, `${head}${gap}${titulo}${tail}`).join('\n')
}

/** The text may not become empty. */
function keptText(lines: readonly string[]): string {
  const text = lines.join('\n').trimEnd()
  return text.trim() === '' ? 'Escolha uma opção e responda com o número:' : text
}
