import { type BinaryNode, isLidUser, type WAMessage } from 'baileys'
import type { Anfitriao, Chegada, Recebida } from './anfitriao.ts'
import { deTexto, emTexto } from './credenciais.ts'
import { abrirEnvelope, type Eu, instante, type NumeroDoLid, pessoaDe } from './mensagem.ts'
import { NAO_CHEGOU, UMA_VEZ } from './so-no-celular.ts'

/**
 * Messages without content: view-once messages (phone only), messages started by an advertisement (requested from
 * the phone) and messages that could not be decrypted (requested from the sender). Most contents arrive within
 * moments. Otherwise the operator gets a placeholder.
 */
export interface Ausentes {
  /** Resolves once the stanza is in the journal. Only then may the server get its acknowledgement. */
  readonly viu: (stanza: BinaryNode) => Promise<void>
  readonly ilegivel: (mensagem: WAMessage) => Promise<void>
  readonly falta: (mensagem: string) => boolean
  readonly apareceu: (id: string) => void
  /**
   * True if the content of this journal entry may still arrive. For an entry of an earlier process the wait starts
   * now, because the server delivers the message again after a reconnect.
   */
  readonly esperar: (chegada: Chegada) => boolean
  /** Sets whether a connection exists. Without one no content can arrive, so each connection starts the wait again. */
  readonly linha: (ha: boolean) => void
  readonly fechar: () => void
}

export interface AusentesOptions {
  readonly chaves: Pick<Anfitriao['chaves'], 'gravar' | 'concluir'>
  readonly faltou: (chegada: Chegada) => void
  readonly esperaMs?: number | undefined
}

const ESPERA_MS = 2 * 60_000
const DE_NOVO_MS = 2_000
const LEMBRADAS = 2_000

interface Ausente {
  readonly envelope: BinaryNode['attrs']
  readonly umaVez: boolean
}

interface Espera {
  readonly chegada: Chegada
  readonly umaVez: boolean
  guardada: boolean
  apareceu: boolean
  fim?: NodeJS.Timeout
}

export function createAusentes({ chaves, faltou, esperaMs = ESPERA_MS }: AusentesOptions): Ausentes {
  const esperas = new Map<string, Espera>()
  /**
   * Ids of messages read recently. The server repeats a message whose confirmation was lost, and it cannot be
   * decrypted a second time.
   */
  const lidas = new Set<string>()
  let comLinha = false
  let fechada = false

  const agendar = (espera: Espera, ms: number, fazer: () => void): void => {
    if (!fechada) espera.fim = setTimeout(fazer, ms).unref()
  }

  const guardar = async (ausente: Ausente): Promise<void> => {
    const mensagem = ausente.envelope.id ?? ''
    const id = idDa(mensagem)
    if (esperas.has(id) || lidas.has(mensagem)) return
    const chegada = { id, valor: emTexto({ ausente }) }
    const espera: Espera = { chegada, umaVez: ausente.umaVez, guardada: false, apareceu: false }
    esperas.set(id, espera)
    try {
      await chaves.gravar([], [chegada])
    } catch (erro) {
      esperas.delete(id)
      throw erro
    }
    espera.guardada = true
    aguardar(espera)
  }

  const aguardar = (espera: Espera): void => {
    const { chegada, umaVez } = espera
    if (espera.apareceu) return esquecer(chegada.id, espera)
    if (!umaVez && !comLinha) return
    agendar(espera, umaVez ? 0 : esperaMs, () => {
      esperas.delete(chegada.id)
      faltou(chegada)
    })
  }

  const esperar = (chegada: Chegada): boolean => {
    const { ausente }: { ausente?: Ausente } = deTexto(chegada.valor)
    if (esperas.has(chegada.id)) return true
    if (ausente === undefined || ausente.umaVez) return false
    const apareceu = lidas.has(ausente.envelope.id ?? '')
    const espera: Espera = { chegada, umaVez: false, guardada: true, apareceu }
    esperas.set(chegada.id, espera)
    aguardar(espera)
    return true
  }

  /** The entry stays in `esperas` until it is deleted from the journal, so it is never reported as missing. */
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
    linha: (ha) => {
      comLinha = ha
      for (const espera of esperas.values()) {
        if (!espera.guardada || espera.apareceu || espera.umaVez) continue
        clearTimeout(espera.fim)
        aguardar(espera)
      }
    },
    fechar: () => {
      fechada = true
      for (const { fim } of esperas.values()) clearTimeout(fim)
    },
  }
}

const idDa = (mensagem: string): string => `ausente ${mensagem}`

const NO_LUGAR_DE = 'ausente:'

/** Id of the message that this placeholder stands for; null if it is no placeholder. */
export const ausenteEm = (id: string): string | null =>
  id.startsWith(NO_LUGAR_DE) ? id.slice(NO_LUGAR_DE.length) : null

/** The placeholder for a message without content; null if the entry is something else. */
export async function lerAusente({ valor }: Chegada, eu: Eu, numeroDoLid: NumeroDoLid): Promise<Recebida | null> {
  const { ausente }: { ausente?: Ausente } = deTexto(valor)
  if (ausente === undefined) return null
  const mensagem = abrirEnvelope(ausente.envelope, eu)
  const { key, pushName } = mensagem
  const deMim = key.fromMe === true
  return {
    ...(await pessoaDe(key, key.remoteJid ?? '', numeroDoLid)).pessoa,
    // A separate id, because the content may arrive later as a message.
    ...{ id: NO_LUGAR_DE + (key.id ?? ''), nome: deMim ? '' : (pushName ?? ''), deMim },
    ...{ texto: ausente.umaVez ? UMA_VEZ : NAO_CHEGOU, midia: { tipo: 'outro' } },
    enviadaEm: instante(mensagem),
  }
}
