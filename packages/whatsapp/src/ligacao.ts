import { type BinaryNode, jidNormalizedUser, type WASocket } from 'baileys'
import type { Anfitriao, Chegada } from './anfitriao.ts'
import { emTexto } from './credenciais.ts'
import { ehPessoa, type Eu } from './mensagem.ts'

/** Missed calls. The product never answers a call; it reports a call that ended unanswered. */

/** Phones ring for a shorter time. A call without an end stanza counts as missed after this. */
const TOQUE_MS = 60_000
const LIGACAO = 'CB:call'

export interface Ligacoes {
  readonly viu: (stanza: BinaryNode) => Promise<void>
  readonly tocando: (idDaChegada: string) => boolean
  readonly fechar: () => void
}

export interface LigacoesOptions {
  readonly chaves: Pick<Anfitriao['chaves'], 'gravar' | 'concluir'>
  readonly eu: () => Eu
  readonly perdida: (chegada: Chegada) => void
  readonly toqueMs?: number | undefined
}

interface Toque {
  readonly valor: string
  readonly fim: NodeJS.Timeout
}

export function createLigacoes({ chaves, eu, perdida, toqueMs = TOQUE_MS }: LigacoesOptions): Ligacoes {
  const toques = new Map<string, Toque>()
  let fila: Promise<void> = Promise.resolve()

  const parar = (id: string): Toque | undefined => {
    const toque = toques.get(id)
    clearTimeout(toque?.fim)
    toques.delete(id)
    return toque
  }
  const acabou = (id: string): void => {
    const toque = parar(id)
    if (toque !== undefined) perdida({ id, valor: toque.valor })
  }

  const tratar = async (stanza: BinaryNode): Promise<void> => {
    const sinal = lerSinal(stanza, eu())
    if (sinal === null || (sinal.tipo === 'toca') === toques.has(sinal.id)) return
    const { id } = sinal
    if (sinal.tipo === 'toca') {
      const { valor } = sinal
      await chaves.gravar([], [{ id, valor }])
      toques.set(id, { valor, fim: setTimeout(() => acabou(id), toqueMs) })
    } else if (sinal.tipo === 'atendida') {
      clearTimeout(toques.get(id)?.fim)
      // The call stays in `toques` until the journal entry is deleted, so a repeated stanza retries a failed
      // deletion.
      await chaves.concluir(id)
      parar(id)
    } else acabou(id)
  }

  return {
    viu: (stanza) => {
      const feito = fila.then(() => tratar(stanza))
      fila = feito.catch(() => undefined)
      return feito
    },
    tocando: (id) => toques.has(id),
    fechar: () => {
      for (const id of toques.keys()) parar(id)
    },
  }
}

/**
 * The library acknowledges a call when it handles the stanza. This wrapper passes the stanza on only after it is
 * stored.
 */
export function guardarLigacoes(ws: WASocket['ws'], guardar: (stanza: BinaryNode) => Promise<void>): void {
  const originais = ws.listeners(LIGACAO)
  const tratar = async (stanza: BinaryNode): Promise<void> => {
    await guardar(stanza)
    if (!ws.isOpen) return
    for (const original of originais) Reflect.apply(original, ws, [stanza])
  }
  ws.removeAllListeners(LIGACAO)
  // A stanza that could not be stored stays unacknowledged, so the server repeats it on the next connection.
  ws.on(LIGACAO, (stanza: BinaryNode) => void tratar(stanza).catch(() => undefined))
}

type Sinal =
  | { readonly tipo: 'toca'; readonly id: string; readonly valor: string }
  | { readonly tipo: 'atendida' | 'acabou'; readonly id: string }

function lerSinal({ attrs, content }: BinaryNode, eu: Eu): Sinal | null {
  const [dito] = Array.isArray(content) ? content : []
  const ligacao = dito?.attrs['call-id'] ?? ''
  if (dito === undefined || ligacao === '') return null
  const id = `ligacao ${ligacao}`
  switch (dito.tag) {
    case 'offer':
    case 'offer_notice':
      return ehDeUmCliente(attrs, dito, eu)
        ? { tipo: 'toca', id, valor: emTexto({ ligacao: toque(attrs, dito) }) }
        : null
    case 'accept':
      return { tipo: 'atendida', id }
    case 'terminate':
      return { tipo: dito.attrs.reason === 'accepted_elsewhere' ? 'atendida' : 'acabou', id }
    case 'reject':
      return { tipo: 'acabou', id }
    default:
      return null
  }
}

/** False for group calls and for calls that the owner makes. */
function ehDeUmCliente(attrs: BinaryNode['attrs'], { attrs: oferta }: BinaryNode, { jid, lid }: Eu): boolean {
  const meus = [jid, lid].filter((um) => um !== '').map((um) => jidNormalizedUser(um))
  const deGrupo = oferta.type === 'group' || oferta['group-jid'] !== undefined
  const minha = meus.includes(jidNormalizedUser(oferta['call-creator'] ?? ''))
  return ehPessoa(attrs.from ?? '') && !deGrupo && !minha
}

export interface Toca {
  readonly id: string
  readonly chat: string
  /** The phone number behind a LID, if WhatsApp sends it. */
  readonly numero: string
  readonly video: boolean
  /** Unix time in seconds. */
  readonly em: number
}

function toque(attrs: BinaryNode['attrs'], { attrs: oferta, content }: BinaryNode): Toca {
  return {
    id: oferta['call-id'] ?? '',
    chat: jidNormalizedUser(attrs.from ?? ''),
    numero: oferta.caller_pn ?? '',
    video: Array.isArray(content) && content.some(({ tag }) => tag === 'video'),
    em: Number(attrs.t ?? 0),
  }
}
