import { type BinaryNode, jidNormalizedUser, type proto, type WAMessageKey } from 'baileys'
import type { AEnviar, Anfitriao } from './anfitriao.ts'
import { contextoDe } from './citacao.ts'
import { faixaDe, idDe } from './id.ts'
import type { Eu } from './mensagem.ts'
import type { Registrar } from './registro.ts'

/** What became of our messages, and what they said: for the ticks, and for a phone that could not read one. */
export interface Enviadas {
  /** A message of ours by the id that WhatsApp knows; undefined when it is none. */
  readonly achar: (id: string) => Promise<AEnviar | undefined>
  /** The content of a message of ours, asked again by its id. */
  readonly buscar: (key: WAMessageKey) => Promise<proto.IMessage | undefined>
  readonly recibo: (recibo: BinaryNode) => void
  /** The `idExterno` of a message of ours with this id; the id itself when it is none. */
  readonly idExternoDe: (id: string) => Promise<string>
}

export interface EnviadasOptions {
  /** A device, by its address, has one of the messages with these ids. */
  readonly chegou: (id: string, aQuem: string) => void
  readonly registrar: Registrar
  readonly eu: () => Eu
}

export function createEnviadas(
  host: Pick<Anfitriao, 'enviadas' | 'recibo'>,
  { chegou, registrar, eu }: EnviadasOptions,
): Enviadas {
  const achar = async (id: string): Promise<AEnviar | undefined> => {
    const faixa = faixaDe(id)
    if (faixa === null) return undefined
    const candidatas = await host.enviadas(faixa.de, faixa.ate)
    return candidatas.find(({ idExterno }) => idDe(idExterno) === id)
  }

  const entregue = async (ids: readonly string[], estado: 'entregue' | 'lida'): Promise<void> => {
    for (const id of ids) {
      const mensagem = await achar(id)
      if (mensagem !== undefined) host.recibo(mensagem.idExterno, estado)
    }
  }

  return {
    achar,
    buscar: async ({ id, remoteJid }) => {
      const mensagem = await achar(id ?? '')
      // A file would have to be uploaded again; the library itself remembers those of a while ago.
      return mensagem === undefined || mensagem.midia !== undefined
        ? undefined
        : {
            extendedTextMessage: {
              text: mensagem.texto,
              ...contextoDe(mensagem.citada, jidNormalizedUser(remoteJid ?? mensagem.endereco), eu()),
            },
          }
    },
    idExternoDe: async (id) => (await achar(id))?.idExterno ?? id,
    recibo: (recibo) => {
      const estado = estadoDe(recibo)
      if (estado === null) return
      for (const id of idsDe(recibo)) chegou(id, recibo.attrs.from ?? '')
      entregue(idsDe(recibo), estado).catch((erro: unknown) => registrar(erro, 'a receipt could not be followed'))
    },
  }
}

function estadoDe({ attrs }: BinaryNode): 'entregue' | 'lida' | null {
  // A receipt with a recipient is of another device of ours.
  if (attrs.recipient !== undefined) return null
  if (attrs.type === undefined) return 'entregue'
  return attrs.type === 'read' || attrs.type === 'played' ? 'lida' : null
}

function idsDe({ attrs, content }: BinaryNode): string[] {
  const lista = Array.isArray(content) ? content.find(({ tag }) => tag === 'list')?.content : undefined
  const outros = Array.isArray(lista) ? lista.map((item) => item.attrs.id ?? '') : []
  return [attrs.id ?? '', ...outros]
}
