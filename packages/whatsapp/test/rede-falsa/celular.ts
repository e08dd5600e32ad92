import { createHmac, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { Curve, proto } from 'baileys'
import { pacoteDo } from './consultas.ts'
import { desembrulhar, embrulhar, segredoDoAperto } from './codigo-digitado.ts'
import { entregarAo } from './correio.ts'
import { lerCifrada, textoDe } from './leitura.ts'
import { createParSignal } from './par-signal.ts'
import type { ServidorFalso } from './servidor.ts'
import { agora, SERVIDOR, stanza } from './stanza.ts'
import type { Aparelho, Dono, Pessoa, Recebida } from './tipos.ts'

const ASSINATURA_DA_CONTA = Buffer.from([6, 0])
const ASSINATURA_DO_APARELHO = Buffer.from([6, 1])

/** The owner's phone. It scans codes and receives a copy of every sent message. */
export interface Celular extends Dono {
  readonly escanear: (qrCode: string) => Promise<Aparelho>
  readonly digitarCodigo: (codigo: string) => Promise<Aparelho>
  /** The owner writes to a customer on the phone. Linked devices get a copy. */
  readonly digitar: (cliente: Pessoa, texto: string, como?: 'numero' | 'lid') => Promise<string>
  readonly copias: readonly Recebida[]
}

async function historico(): Promise<proto.IMessage> {
  const { INITIAL_BOOTSTRAP: syncType } = proto.HistorySync.HistorySyncType
  const conteudo = proto.HistorySync.encode({ syncType, progress: 100, conversations: [] }).finish()
  const { HISTORY_SYNC_NOTIFICATION: type } = proto.Message.ProtocolMessage.Type
  const historySyncNotification = {
    ...{ syncType: proto.Message.HistorySyncType.INITIAL_BOOTSTRAP, progress: 100, chunkOrder: 1 },
    initialHistBootstrapInlinePayload: await promisify(deflate)(conteudo),
  }
  return { protocolMessage: { type, historySyncNotification } }
}

interface Codigo {
  readonly ref: string
  readonly identidade: Buffer
  readonly segredo: Buffer
}

export function createCelular(servidor: ServidorFalso, pessoa: Pessoa): Celular {
  const sinal = createParSignal()
  const aparelhos = new Map<number, Aparelho>()
  const copias: Recebida[] = []
  const atualizados = new Set<Aparelho>()

  const enviarAo = async (
    aparelho: Aparelho,
    mensagem: proto.IMessage,
    attrs: Record<string, string>,
  ): Promise<void> => {
    const { tipo, corpo } = await sinal.cifrar(aparelho.jid, mensagem, () => pacoteDo(aparelho))
    const todos = { type: 'text', t: agora(), from: `${pessoa.numero}@${SERVIDOR}`, ...attrs }
    entregarAo(aparelho, stanza('message', todos, [stanza('enc', { v: '2', type: tipo }, corpo)]))
  }

  // A new device gets a history sync. Before that the library buffers its events.
  servidor.eventos.on('conectou', (aparelho) => {
    if (aparelho.dono !== celular || atualizados.has(aparelho)) return
    atualizados.add(aparelho)
    void historico().then((mensagem) => enviarAo(aparelho, mensagem, { id: servidor.novoId('3A'), category: 'peer' }))
  })

  const ligar = async (codigo: Codigo): Promise<Aparelho> => {
    const details = detalhes(aparelhos.size + 1)
    const { public: publica, private: privada } = sinal.identidade
    const identidade = proto.ADVSignedDeviceIdentity.encode({
      details,
      accountSignatureKey: publica,
      accountSignature: Curve.sign(privada, Buffer.concat([ASSINATURA_DA_CONTA, details, codigo.identidade])),
    }).finish()
    const hmac = createHmac('sha256', codigo.segredo).update(identidade).digest()
    const selada = proto.ADVSignedDeviceIdentityHMAC.encode({ details: identidade, hmac }).finish()
    const confirmado = await servidor.pareamento.confirmar(celular, codigo.ref, selada)
    conferir(confirmado.contraAssinada, Buffer.concat([details, codigo.identidade, publica]), codigo.identidade)
    confirmado.reiniciar()
    return confirmado.aparelho
  }

  const celular: Celular = {
    ...pessoa,
    sinal,
    aparelhos,
    copias,
    entregar: async ({ aparelho, id }, enc) => {
      // An unreadable copy must not stop the delivery to customers.
      const mensagem = await sinal.decifrar(aparelho.jid, lerCifrada(enc)).catch(() => undefined)
      if (mensagem !== undefined) copias.push({ id, mensagem, texto: textoDe(mensagem) })
    },
    escanear: async (qrCode) => ligar(lerCodigo(qrCode)),
    digitarCodigo: async (codigo) => {
      const { ref, embrulhada } = await servidor.pareamento.pedidoDe(pessoa.numero)
      const doAparelho = await desembrulhar(embrulhada, codigo)
      const efemera = Curve.generateKeyPair()
      const { pacote, identidade } = await servidor.pareamento.apresentar(ref, {
        embrulhada: await embrulhar(efemera.public, codigo),
        identidade: sinal.identidade.public,
      })
      const chaves = { minha: sinal.identidade, efemera, doAparelho, identidade }
      return ligar({ ref, identidade, segredo: segredoDoAperto(pacote, chaves) })
    },
    digitar: async (cliente, texto, como = 'lid') => {
      const id = servidor.novoId('3A')
      const numero = `${cliente.numero}@${SERVIDOR}`
      const [recipient, alternativo] =
        como === 'lid'
          ? [`${cliente.lid}@lid`, { peer_recipient_pn: numero }]
          : [numero, { peer_recipient_lid: `${cliente.lid}@lid` }]
      const copia = { deviceSentMessage: { destinationJid: recipient, message: { conversation: texto } } }
      // The sender of a copy is the phone, by number and LID.
      const attrs = { id, recipient, ...alternativo, sender_lid: `${pessoa.lid}@lid`, notify: pessoa.nome }
      for (const aparelho of aparelhos.values()) await enviarAo(aparelho, copia, attrs)
      return id
    },
  }
  servidor.incluirDono(celular)
  return celular
}

function lerCodigo(qrCode: string): Codigo {
  const [ref, , identidade, segredo] = qrCode.slice(qrCode.indexOf('#') + 1).split(',')
  if (!ref || !identidade || !segredo) throw new Error('not a WhatsApp pairing code')
  return { ref, identidade: Buffer.from(identidade, 'base64'), segredo: Buffer.from(segredo, 'base64') }
}

function detalhes(keyIndex: number): Buffer {
  const { E2EE } = proto.ADVEncryptionType
  const timestamp = Math.floor(Date.now() / 1000)
  const rawId = randomBytes(4).readUInt32BE()
  return Buffer.from(
    proto.ADVDeviceIdentity.encode({ rawId, timestamp, keyIndex, accountType: E2EE, deviceType: E2EE }).finish(),
  )
}

/** Checks that the device signed our data with the identity of its code. */
function conferir(contraAssinada: Buffer, conteudo: Buffer, identidade: Buffer): void {
  const { deviceSignature } = proto.ADVSignedDeviceIdentity.decode(contraAssinada)
  const assinado = Buffer.concat([ASSINATURA_DO_APARELHO, conteudo])
  if (!deviceSignature || !Curve.verify(identidade, assinado, deviceSignature)) {
    throw new Error('device did not countersign')
  }
}
