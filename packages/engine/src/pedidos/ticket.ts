import type { ItemPedido, Pedido } from '@balcao/contract/entities/pedido'
import { formatReais } from '#rules/loja.ts'

/** The kitchen ticket, in lines of `largura` signs. */

export interface TicketOptions {
  readonly largura: number
  readonly empresa: string
  /** Time zone of the shop. */
  readonly fuso: string
  /** The kitchen may have this ticket already. */
  readonly segundaVia?: true
}

const FORMAS = { pix: 'PIX', dinheiro: 'Dinheiro', cartao: 'Cartão' } as const

export function ticketText(pedido: Pedido, options: TicketOptions): string {
  return [...headOf(pedido, options), ...bodyOf(pedido, options)].join('\n') + '\n'
}

function headOf(
  { numero, entrega, criadoEm }: Pedido,
  { largura, empresa, fuso, segundaVia }: TicketOptions,
): string[] {
  const when = new Intl.DateTimeFormat('pt-BR', { timeZone: fuso, dateStyle: 'short', timeStyle: 'short' })
  const kind = entrega.tipo === 'entrega' ? 'ENTREGA' : 'RETIRADA'
  return [
    ...wrap(empresa, largura),
    ...wrap(`PEDIDO Nº ${numero} - ${kind}`, largura),
    when.format(new Date(criadoEm)).replace(/\s+/g, ' '),
    ...(segundaVia === undefined ? [] : ['*** SEGUNDA VIA ***']),
  ]
}

function bodyOf(pedido: Pedido, { largura }: TicketOptions): string[] {
  const { cliente, entrega, observacao, pagamento } = pedido
  const rule = '-'.repeat(largura)
  const money = (label: string, centavos: number): string => columns(label, formatReais(centavos / 100), largura)
  const troco = pagamento.trocoParaCentavos
  const change = troco === undefined ? '' : `, troco para ${formatReais(troco / 100)}`
  const paid = pagamento.estado === 'confirmado' ? ' (pago)' : ''
  const address = [entrega.endereco, entrega.bairro, entrega.cep].filter((part) => part !== '').join(', ')
  return [
    rule,
    ...pedido.itens.flatMap((item) => itemLines(item, largura)),
    rule,
    money('Subtotal', pedido.subtotalCentavos),
    ...(pedido.entregaCentavos === 0 ? [] : [money('Entrega', pedido.entregaCentavos)]),
    ...(pedido.descontoCentavos === 0 ? [] : [money('Desconto', -pedido.descontoCentavos)]),
    money('TOTAL', pedido.totalCentavos),
    ...wrap(`Pagamento: ${FORMAS[pagamento.forma]}${change}${paid}`, largura),
    ...(cliente === '' ? [] : wrap(`Cliente: ${cliente}`, largura)),
    ...(entrega.tipo === 'retirada' || address === '' ? [] : wrap(`Endereço: ${address}`, largura)),
    ...(observacao === '' ? [] : wrap(`Obs: ${observacao}`, largura)),
  ]
}

function itemLines({ quantidade, nome, precoCentavos, opcoes, observacao }: ItemPedido, largura: number): string[] {
  const price = formatReais((quantidade * precoCentavos) / 100)
  const [first = '', ...rest] = wrap(`${quantidade}x ${nome}`, largura - price.length - 1)
  const details = [...opcoes.map((opcao) => `+ ${opcao.nome}`), ...(observacao === '' ? [] : [`Obs: ${observacao}`])]
  return [
    columns(first, price, largura),
    ...rest,
    ...details.flatMap((detail) => wrap(detail, largura - 3).map((line) => `   ${line}`)),
  ]
}

function columns(left: string, right: string, largura: number): string {
  return left + right.padStart(Math.max(right.length + 1, largura - left.length))
}

/** Breaks at spaces, and inside words that are longer than a line. Control characters become spaces. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .split(' ')) {
    for (let rest = word; rest !== '';) {
      const room = width - (line === '' ? 0 : line.length + 1)
      if (rest.length <= room) {
        line = line === '' ? rest : `${line} ${rest}`
        break
      }
      if (line === '') {
        lines.push(rest.slice(0, width))
        rest = rest.slice(width)
      } else {
        lines.push(line)
        line = ''
      }
    }
  }
  return line === '' ? lines : [...lines, line]
}

/** Source: Epson, "ESC/POS Command Reference": reset, text, feed and partial cut. */
const RESET = [0x1b, 0x40]
const FEED_AND_CUT = [0x1d, 0x56, 0x42, 0x60]
const DOUBLE_HEIGHT = [0x1d, 0x21, 0x01]
const NORMAL = [0x1d, 0x21, 0x00]

/**
 * Bytes for a thermal printer. Letters lose their accents and other signs become `?`: code pages differ between
 * printers, ASCII does not.
 */
export function ticketBytes(pedido: Pedido, options: TicketOptions): Uint8Array {
  const head = asciiOf(headOf(pedido, options).join('\n'))
  const body = asciiOf(bodyOf(pedido, options).join('\n'))
  return Uint8Array.from([...RESET, ...DOUBLE_HEIGHT, ...head, 0x0a, ...NORMAL, ...body, 0x0a, ...FEED_AND_CUT])
}

function asciiOf(text: string): number[] {
  const plain = text
    .replaceAll('º', 'o')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
  return Array.from(plain, (sign) => {
    const code = sign.codePointAt(0) ?? 0x3f
    return code === 0x0a || (code >= 0x20 && code < 0x7f) ? code : 0x3f
  })
}
