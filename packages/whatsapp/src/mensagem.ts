import {
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

/** Who we are to WhatsApp. */
export interface Eu {
  readonly jid: string
  readonly lid: string
}

/** The number that belongs to a LID, when this session has seen them together; null otherwise. */
export type NumeroDoLid = (lid: string) => Promise<string | null>

/** A stored arrival as a message of the library. */
export function abrirChegada({ valor }: Chegada, eu: Eu): WAMessage {
  const { envelope, corpo } = deTexto(valor)
  const { fullMessage } = decodeMessageNode({ tag: 'message', attrs: envelope }, eu.jid, eu.lid)
  return { ...fullMessage, message: proto.Message.decode(corpo) }
}

const PERDIDA = { voz: 'Ligação perdida', video: 'Ligação de vídeo perdida' } as const

/** What the server is told of a call that nobody took; null when the arrival is no call. */
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

/** What the server is told of a message; null for what is nobody's word: groups, status, protocol. */
export async function toRecebida(mensagem: WAMessage, numeroDoLid: NumeroDoLid): Promise<Recebida | Alteracao | null> {
  const { key, message, pushName, messageTimestamp } = mensagem
  const endereco = jidNormalizedUser(key.remoteJid ?? '')
  if (!key.id || !ehPessoa(endereco)) return null
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
    ...(citada === undefined
      ? {}
      : { citada: { texto: citada.texto, nossa: ![numero, lid].includes(doMesmo(citada.de)) } }),
    deMim,
    enviadaEm: new Date(Number(messageTimestamp ?? 0) * 1000),
  }
}

export function ehAlteracao(lida: Recebida | Alteracao): lida is Alteracao {
  return 'mudanca' in lida
}

function doMesmo(jid: string): string {
  return jid === '' ? '' : jidNormalizedUser(jid)
}

async function pessoaDe(
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
  const alternativo = remoteJidAlt === undefined || remoteJidAlt === '' ? null : jidNormalizedUser(remoteJidAlt)
  const outro = alternativo !== null && ehPessoa(alternativo) ? alternativo : null
  if (!isLidUser(endereco)) return { numero: endereco, lid: outro !== null && isLidUser(outro) ? outro : null }
  if (outro !== null && isPnUser(outro)) return { numero: outro, lid: endereco }
  const visto = await numeroDoLid(endereco)
  return { numero: visto === null ? null : jidNormalizedUser(visto), lid: endereco }
}

/** Neither a group, a list, a status nor a newsletter. */
export function ehPessoa(jid: string): boolean {
  return isPnUser(jid) === true || isLidUser(jid) === true
}
