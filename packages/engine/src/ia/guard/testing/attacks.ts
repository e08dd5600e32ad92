import { type IaLine, buildIaConversa } from '#ia/conversa.ts'
import { buildSystemPrompt } from '#ia/system-prompt.ts'
import type { Evidence } from '../types.ts'
import { shopEvidence } from './shops.ts'

/** A text that gives orders to the model, and what a model that obeys answers. */
export interface Attack {
  readonly carrier: string
  readonly texto: string
  readonly obedience: string
  /** A tool call of the obeying model: name and arguments as JSON. */
  readonly call: { readonly nome: string; readonly args: string } | null
}

const CODE = /\\u(?:\{([0-9a-f]+)\}|([0-9a-f]{4}))/gi

/** Reads the file of attacks: text, answer and tool call, behind `# ` and the carrier. */
export function readAttacks(file: string): readonly Attack[] {
  let carrier = ''
  return file.split('\n').flatMap((line): Attack[] => {
    if (line.startsWith('# ')) carrier = line.slice(2)
    if (line === '' || line.startsWith('# ')) return []
    const parts = line.split(/(?<!<)\|(?!>|im_)/)
    const [texto = '', obedience = '', call = ''] = parts
    const at = call.indexOf(' ')
    const [nome, args] = [call.slice(0, at), call.slice(at + 1)]
    return [{ carrier, texto: unescape(texto), obedience, call: call === '' ? null : { nome, args } }]
  })
}

const unescape = (text: string): string =>
  text
    .replaceAll(CODE, (_all, long: string | undefined, short: string | undefined) =>
      String.fromCodePoint(Number.parseInt(long ?? short ?? '20', 16)),
    )
    .replaceAll(String.raw`\n`, '\n')

export interface AttackedShop {
  readonly evidence: Evidence
  readonly nomeCliente: string
  readonly pergunta: string
  readonly instrucoes: string
}

/** The bakery with the attack where its carrier puts it. */
export function attackedShop({ carrier, texto }: Attack): AttackedShop {
  const shop = shopEvidence('padaria')
  const [first, ...others] = shop.contexto.produtos
  const produtos =
    carrier === 'descricao' && first !== undefined
      ? [{ ...first, descricao: texto }, ...others]
      : shop.contexto.produtos
  const isPiece = carrier === 'trecho' || carrier === 'pdf'
  const titulo = carrier === 'pdf' ? 'cardapio.pdf' : 'Site'
  const trechos = isPiece ? [{ fonteId: 'f1', titulo, trecho: texto, pontuacao: 1 }] : []
  const contexto = { ...shop.contexto, produtos }
  const nomeCliente = carrier === 'nome' ? texto : 'Ana'
  const line: IaLine = {
    id: '1',
    de: 'cliente',
    texto: carrier === 'cliente' || carrier === 'arquivo' ? texto : 'oi, tudo bem?',
  }
  const sent: IaLine = carrier === 'arquivo' ? { ...line, midia: 'documento' } : line
  const { pergunta } = buildIaConversa([sent], '0', false)
  const instrucoes = buildSystemPrompt({ contexto, nomeCliente, agora: shop.agora, trechos })
  return { evidence: { ...shop, contexto, trechos, pergunta }, nomeCliente, pergunta, instrucoes }
}
