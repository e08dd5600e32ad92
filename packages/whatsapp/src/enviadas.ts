import { type BinaryNode, jidNormalizedUser, type proto, type WAMessageKey } from 'baileys'
import type { AEnviar, Anfitriao } from './anfitriao.ts'
import { contextoDe } from './citacao.ts'
import { faixaDe, idDe } from './id.ts'
import type { Eu } from './mensagem.ts'
import type { Registrar } from './registro.ts'

export interface Enviadas {
  /** Finds our message by WhatsApp's id; undefined if it is not ours. */
  readonly achar: (id: string) => Promise<AEnviar | undefined>
  readonly buscar: (key: WAMessageKey) => Promise<proto.IMessage | undefined>
  readonly recibo: (recibo: BinaryNode) => void
  /** The `idExterno` of our message with this id; the id itself if it is not ours. */
  readonly idExternoDe: (id: string) => Promise<string>
}

export interface EnviadasOptions {
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
      // A file would need a new upload. The library itself caches recent messages.
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
      entregue(idsDe(recibo), estado).catch((erro: unknown) => registrar(erro, 'receipt not processed'))
    },
  }
}

function estadoDe({ attrs }: BinaryNode): 'entregue' | 'lida' | null {
  // A receipt with `recipient` is from another device of the owner.
  if (attrs.recipient !== undefined) return null
  if (attrs.type === undefined) return 'entregue'
  return attrs.type === 'read' || attrs.type === 'played' ? 'lida' : null
}

function idsDe({ attrs, content }: BinaryNode): string[] {
  const lista = Array.isArray(content) ? content.find(({ tag }) => tag === 'list')?.content : undefined
  const outros = Array.isArray(lista) ? lista.map((item) => item.attrs.id ?? '') : []
  return [attrs.id ?? '', ...outros]
}
