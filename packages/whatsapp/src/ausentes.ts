import { type BinaryNode, isLidUser, type WAMessage } from 'baileys'
import type { Anfitriao, Chegada, Recebida } from './anfitriao.ts'
import { deTexto, emTexto } from './credenciais.ts'
import { abrirEnvelope, type Eu, instante, type NumeroDoLid, pessoaDe } from './mensagem.ts'
import { NAO_CHEGOU, UMA_VEZ } from './so-no-celular.ts'

/**
 * Messages whose words are not here: what may be seen once goes to the phone alone, what an advertisement began has to be
 * asked of the phone, and what could not be decrypted of the sender. Most of them come in a moment; of one that does not,
 * people are told that there is something to read.
 */
export interface Ausentes {
  /** Resolves once nothing of it can be lost: only then may the server hear that it came. */
  readonly viu: (stanza: BinaryNode) => Promise<void>
  /** It came, and could not be decrypted. */
  readonly ilegivel: (mensagem: WAMessage) => Promise<void>
  /** Whether the words of this message are missing and may still come. */
  readonly falta: (mensagem: string) => boolean
  /** The words of this message are here after all. */
  readonly apareceu: (id: string) => void
  /**
   * Whether the words of this entry of the journal may still come. One that an earlier process left is waited for from now on:
   * what comes again after a new start is decrypted by then, or was read before.
   */
  readonly esperar: (chegada: Chegada) => boolean
  readonly fechar: () => void
}

export interface AusentesOptions {
  readonly chaves: Pick<Anfitriao['chaves'], 'gravar' | 'concluir'>
  /** Nobody waits for its words any longer. */
  readonly faltou: (chegada: Chegada) => void
  readonly esperaMs?: number | undefined
}

const ESPERA_MS = 2 * 60_000
/** How long until what the journal could not forget is tried again. */
const DE_NOVO_MS = 2_000
const LEMBRADAS = 2_000

interface Ausente {
  readonly envelope: BinaryNode['attrs']
  readonly umaVez: boolean
}

interface Espera {
  guardada: boolean
  apareceu: boolean
  fim?: NodeJS.Timeout
}

export function createAusentes({ chaves, faltou, esperaMs = ESPERA_MS }: AusentesOptions): Ausentes {
  const esperas = new Map<string, Espera>()
  /** What was read a moment ago comes again when its confirmation was lost, and then cannot be decrypted a second time. */
  const lidas = new Set<string>()
  let fechada = false

  const agendar = (espera: Espera, ms: number, fazer: () => void): void => {
    if (!fechada) espera.fim = setTimeout(fazer, ms).unref()
  }

  const guardar = async (ausente: Ausente): Promise<void> => {
    const mensagem = ausente.envelope.id ?? ''
    const id = idDa(mensagem)
    if (esperas.has(id) || lidas.has(mensagem)) return
    const espera: Espera = { guardada: false, apareceu: false }
    esperas.set(id, espera)
    const chegada = { id, valor: emTexto({ ausente }) }
    try {
      await chaves.gravar([], [chegada])
    } catch (erro) {
      esperas.delete(id)
      throw erro
    }
    espera.guardada = true
    aguardar(chegada, espera, ausente.umaVez ? 0 : esperaMs)
  }

  /** It is in the journal: forgotten when its words are here already, told of once the time is over. */
  const aguardar = (chegada: Chegada, espera: Espera, ms: number): void => {
    if (espera.apareceu) return esquecer(chegada.id, espera)
    agendar(espera, ms, () => {
      esperas.delete(chegada.id)
      faltou(chegada)
    })
  }

  const esperar = (chegada: Chegada): boolean => {
    const { ausente }: { ausente?: Ausente } = deTexto(chegada.valor)
    if (esperas.has(chegada.id)) return true
    if (ausente === undefined || ausente.umaVez) return false
    const espera: Espera = { guardada: true, apareceu: lidas.has(ausente.envelope.id ?? '') }
    esperas.set(chegada.id, espera)
    aguardar(chegada, espera, esperaMs)
    return true
  }

  /** It is waited for until the journal has forgotten it: nobody may be told that it is missing. */
  const esquecer = (id: string, espera: Espera): void => {
    chaves.concluir(id).then(
      () => esperas.delete(id),
      () => agendar(espera, DE_NOVO_MS, () => esquecer(id, espera)),
    )
  }

  return {
    viu: async ({ attrs, content }) => {
      const filhas = Array.isArray(content) ? content : []
      const falta = filhas.find(({ tag }) => tag === 'unavailable')
      if (falta === undefined || filhas.some(({ tag }) => tag === 'enc')) return
      await guardar({ envelope: attrs, umaVez: falta.attrs.type?.startsWith('view_once') === true })
    },
    ilegivel: ({ key, pushName, messageTimestamp }) => {
      const from = key.remoteJid ?? ''
      const outro = isLidUser(from) === true ? 'sender_pn' : 'sender_lid'
      const envelope = {
        ...{ from, id: key.id ?? '', t: String(messageTimestamp ?? ''), notify: pushName ?? '' },
        ...(key.remoteJidAlt ? { [outro]: key.remoteJidAlt } : {}),
      }
      return guardar({ envelope, umaVez: false })
    },
    apareceu: (mensagem) => {
      lidas.add(mensagem)
      if (lidas.size > LEMBRADAS) lidas.delete(lidas.keys().next().value ?? '')
      const id = idDa(mensagem)
      const espera = esperas.get(id)
      if (espera === undefined || espera.apareceu) return
      espera.apareceu = true
      clearTimeout(espera.fim)
      if (espera.guardada) esquecer(id, espera)
    },
    falta: (mensagem) => esperas.has(idDa(mensagem)),
    esperar,
    fechar: () => {
      fechada = true
      for (const { fim } of esperas.values()) clearTimeout(fim)
    },
  }
}

const idDa = (mensagem: string): string => `ausente ${mensagem}`

const NO_LUGAR_DE = 'ausente:'

/** The message in whose place this one tells that it is missing; null of every other. */
export const ausenteEm = (id: string): string | null =>
  id.startsWith(NO_LUGAR_DE) ? id.slice(NO_LUGAR_DE.length) : null

/** What the server is told of a message whose words did not come; null when the arrival is none. */
export async function lerAusente({ valor }: Chegada, eu: Eu, numeroDoLid: NumeroDoLid): Promise<Recebida | null> {
  const { ausente }: { ausente?: Ausente } = deTexto(valor)
  if (ausente === undefined) return null
  const mensagem = abrirEnvelope(ausente.envelope, eu)
  const { key, pushName } = mensagem
  const deMim = key.fromMe === true
  return {
    ...(await pessoaDe(key, key.remoteJid ?? '', numeroDoLid)).pessoa,
    // Should its words come one day, they are a message of their own.
    ...{ id: NO_LUGAR_DE + (key.id ?? ''), nome: deMim ? '' : (pushName ?? ''), deMim },
    ...{ texto: ausente.umaVez ? UMA_VEZ : NAO_CHEGOU, midia: { tipo: 'outro' } },
    enviadaEm: instante(mensagem),
  }
}
