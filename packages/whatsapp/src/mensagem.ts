import {
  type BinaryNode,
  decodeMessageNode,
  isLidUser,
  isPnUser,
  jidDecode,
  jidNormalizedUser,
  proto,
  type WAMessage,
  type WAMessageKey,
} from 'baileys'
import { lerAlteracao } from './alteracao.ts'
import type { Alteracao, Chegada, Pessoa, Recebida } from './anfitriao.ts'
import { lerConteudo } from './conteudo.ts'
import { deTexto } from './credenciais.ts'
import type { Toca } from './ligacao.ts'

export interface Eu {
  readonly jid: string
  readonly lid: string
}

/** Phone number (as JID) of a LID, if this session has seen both together; null otherwise. */
export type NumeroDoLid = (lid: string) => Promise<string | null>

export function abrirChegada({ valor }: Chegada, eu: Eu): WAMessage {
  const { envelope, corpo } = deTexto(valor)
  return { ...abrirEnvelope(envelope, eu), message: proto.Message.decode(corpo) }
}

/** Reads sender and chat of a message without its content. */
export function abrirEnvelope(attrs: BinaryNode['attrs'], eu: Eu): WAMessage {
  const { fullMessage } = decodeMessageNode({ tag: 'message', attrs }, eu.jid, eu.lid)
  const { key } = fullMessage
  const remoteJid = jidDaPessoa(key.remoteJid ?? '')
  if (key.fromMe !== true) return { ...fullMessage, key: { ...key, remoteJid } }
  // For a message typed on the phone the other address is the recipient's, but the library reads the sender's.
  const alternativo = isLidUser(remoteJid)
    ? (attrs.peer_recipient_pn ?? attrs.recipient_pn)
    : (attrs.peer_recipient_lid ?? attrs.recipient_lid)
  return { ...fullMessage, key: { ...key, remoteJid, remoteJidAlt: alternativo ?? '' } }
}

const PERDIDA = { voz: 'Ligação perdida', video: 'Ligação de vídeo perdida' } as const

/** The message for a missed call; null if the entry is no call. */
export async function lerLigacao({ valor }: Chegada, numeroDoLid: NumeroDoLid): Promise<Recebida | null> {
  const { ligacao }: { ligacao?: Toca } = deTexto(valor)
  if (ligacao === undefined) return null
  const { id, chat, numero, video, em } = ligacao
  const tipo = video ? 'video' : 'voz'
  return {
    ...(await pessoaDe({ remoteJidAlt: numero }, chat, numeroDoLid)).pessoa,
    ...{ id: `ligacao:${id}`, nome: '', texto: PERDIDA[tipo], ligacao: tipo, deMim: false },
    enviadaEm: new Date(em * 1000),
  }
}

/** Converts a message for the host. Returns null for groups, status messages and protocol messages. */
export async function toRecebida(
  mensagem: WAMessage,
  eu: Eu,
  numeroDoLid: NumeroDoLid,
): Promise<Recebida | Alteracao | null> {
  const { key, message, pushName } = mensagem
  const endereco = jidDaPessoa(key.remoteJid ?? '')
  // Notes in the owner's own chat are private.
  if (!key.id || !ehPessoa(endereco) || meus(eu).includes(endereco)) return null
  const alteracao = lerAlteracao(message)
  const conteudo = lerConteudo(message)
  if (alteracao === null && conteudo.tipo === 'nada') return null
  const { pessoa, numero, lid } = await pessoaDe(key, endereco, numeroDoLid)
  const deMim = key.fromMe === true
  if (alteracao !== null) return { ...pessoa, ...alteracao, deMim }
  if (conteudo.tipo === 'nada') return null
  const { texto, midia, citada } = conteudo
  return {
    ...pessoa,
    id: key.id,
    nome: deMim ? '' : (pushName ?? ''),
    texto,
    ...(midia === undefined ? {} : { midia }),
    ...(citada === undefined ? {} : { citada: { texto: citada.texto, nossa: eNossa(citada.de, eu, [numero, lid]) } }),
    deMim,
    enviadaEm: instante(mensagem),
  }
}

export function ehAlteracao(lida: Recebida | Alteracao): lida is Alteracao {
  return 'mudanca' in lida
}

/** Apps name the customer in a quotation by number or LID, so the check compares with our own addresses. */
function eNossa(de: string, eu: Eu, dele: readonly (string | null)[]): boolean {
  if (de === '') return true
  const autor = jidDaPessoa(de)
  return meus(eu).includes(autor) || (meus(eu).length < 2 && !dele.includes(autor))
}

const meus = ({ jid, lid }: Eu): string[] => [jid, lid].filter((um) => um !== '').map((um) => jidNormalizedUser(um))

/** The time of sending; the current time if the server sends none. */
export function instante({ messageTimestamp }: Pick<WAMessage, 'messageTimestamp'>): Date {
  const segundos = Number(messageTimestamp ?? 0)
  return segundos > 0 && segundos < SEGUNDOS_MAXIMO ? new Date(segundos * 1000) : new Date()
}
const SEGUNDOS_MAXIMO = 1e10

export async function pessoaDe(
  key: Pick<WAMessageKey, 'remoteJidAlt'>,
  endereco: string,
  numeroDoLid: NumeroDoLid,
): Promise<{ readonly pessoa: Pessoa; readonly numero: string | null; readonly lid: string | null }> {
  const { numero, lid } = await enderecosDe(key, endereco, numeroDoLid)
  const pessoa = {
    endereco,
    outrosEnderecos: [numero, lid].filter((outro) => outro !== null).filter((outro) => outro !== endereco),
    telefone: numero === null ? '' : (jidDecode(numero)?.user ?? ''),
  }
  return { pessoa, numero, lid }
}

async function enderecosDe(
  { remoteJidAlt }: Pick<WAMessageKey, 'remoteJidAlt'>,
  endereco: string,
  numeroDoLid: NumeroDoLid,
): Promise<{ numero: string | null; lid: string | null }> {
  const alternativo = remoteJidAlt === undefined || remoteJidAlt === '' ? null : jidDaPessoa(remoteJidAlt)
  const outro = alternativo !== null && ehPessoa(alternativo) ? alternativo : null
  if (!isLidUser(endereco)) return { numero: endereco, lid: outro !== null && isLidUser(outro) ? outro : null }
  if (outro !== null && isPnUser(outro)) return { numero: outro, lid: endereco }
  const visto = await numeroDoLid(endereco)
  return { numero: visto === null ? null : jidNormalizedUser(visto), lid: endereco }
}

/** JID without device. A business hosted by Meta gets the same JID as its phone. */
export function jidDaPessoa(jid: string): string {
  return jidNormalizedUser(jid)
    .replace(/@hosted$/, '@s.whatsapp.net')
    .replace(/@hosted\.lid$/, '@lid')
}

export function ehIlegivel({ messageStubType, key }: WAMessage): boolean {
  return messageStubType === proto.WebMessageInfo.StubType.CIPHERTEXT && ehPessoa(key.remoteJid ?? '')
}

/** False for groups, lists, status messages and channels. */
export function ehPessoa(jid: string): boolean {
  const pessoa = jidDaPessoa(jid)
  return isPnUser(pessoa) === true || isLidUser(pessoa) === true
}

/** Addresses from the simulator or an import are bare phone numbers. */
export function jidDe(endereco: string): string {
  return endereco.includes('@') ? endereco : `${endereco.replaceAll(/\D/g, '')}@s.whatsapp.net`
}
