import { EventEmitter, once } from 'node:events'
import { type BinaryNode, Curve, decodeBinaryNode } from 'baileys'
import { WebSocketServer } from 'ws'
import { createAgenda } from './agenda.ts'
import { type Autoridade, createAutoridade } from './autoridade.ts'
import { createConexao, type Conexao, type Portaria } from './conexao.ts'
import { responderConsulta } from './consultas.ts'
import { ativar, confirmar, entregarAo } from './correio.ts'
import { type Apresentacao, createAperto } from './noise.ts'
import { createPareamento, type Pareamento } from './pareamento.ts'
import { agora, aparelhoDe, filho, filhos, SERVIDOR, stanza } from './stanza.ts'
import type { Aparelho, Destinatario, Dono, Enviada, Eventos, Falhas } from './tipos.ts'

export interface ServidorOptions {
  readonly refs?: number
  readonly autoridade?: Autoridade
}

/** WhatsApp's multi-device server on loopback: real handshake, real stanzas, delivery at least once. */
export interface ServidorFalso {
  readonly url: string
  readonly eventos: EventEmitter<Eventos>
  readonly falhas: Falhas
  readonly pareamento: Pareamento
  readonly incluir: (quem: Destinatario) => void
  readonly incluirDono: (quem: Dono) => void
  readonly novoId: (prefixo: string) => string
  /** Ends every connection with a stream error, such as `503` for overload. */
  readonly despedir: (codigo: string) => void
  /** Locks all numbers for new chats until `ate`; null unlocks them. */
  readonly bloquear: (ate: Date | null) => void
  readonly remover: (aparelho: Aparelho) => void
  readonly decodificar: (bytes: Buffer) => Promise<BinaryNode>
  /** Cuts every connection without a close frame. */
  readonly cortarTudo: () => void
  readonly fechar: () => Promise<void>
}

export async function createServidor({
  refs = 6,
  autoridade = createAutoridade(),
}: ServidorOptions = {}): Promise<ServidorFalso> {
  const agenda = createAgenda()
  const eventos = new EventEmitter<Eventos>()
  eventos.setMaxListeners(0)
  const falhas: Falhas = {}
  const estatica = Curve.generateKeyPair()
  const certificado = autoridade.emitir(estatica.public)
  const donoDaLinha = new Map<Conexao, Aparelho>()
  const conexoes = new Set<Conexao>()
  let sequencia = 0
  const novoId = (prefixo: string): string => prefixo + (++sequencia).toString(16).toUpperCase().padStart(18, '0')
  const pareamento = createPareamento({
    refs,
    novoId: () => novoId(''),
    recusa: () => falhas.recusarCodigo,
    exigeChave: () => falhas.exigirChave === true,
    existe: (numero) => agenda.acharDono(numero) !== undefined,
  })

  const remover = (aparelho: Aparelho): void => {
    aparelho.revogado = true
    aparelho.conexao?.enviar(stanza('stream:error', { code: '401' }, [stanza('conflict', { type: 'device_removed' })]))
    aparelho.conexao?.fechar()
  }

  const entrar = (conexao: Conexao, { cliente, chaveDoCliente }: Apresentacao): void => {
    const dono = agenda.acharDono(String(cliente.username))
    const aparelho = dono?.aparelhos.get(cliente.device ?? 0)
    const conhecido = aparelho !== undefined && !aparelho.revogado && aparelho.chaveNoise.equals(chaveDoCliente)
    if (!conhecido || falhas.recusarLogin !== undefined) {
      conexao.enviar(stanza('failure', { reason: falhas.recusarLogin ?? '401', location: 'fake' }))
      return conexao.fechar()
    }
    aparelho.conexao?.enviar(stanza('stream:error', {}, [stanza('conflict', { type: 'replaced' })]))
    aparelho.conexao?.fechar()
    aparelho.conexao = conexao
    donoDaLinha.set(conexao, aparelho)
    conexao.enviar(stanza('success', { t: agora(), lid: aparelho.lidJid, props: '0' }))
  }

  const portaria: Portaria = {
    apresentar: (conexao, quem) => {
      const registro = quem.cliente.devicePairingData
      if (registro?.eIdent?.length) pareamento.oferecer({ conexao, chaveNoise: quem.chaveDoCliente, registro })
      else entrar(conexao, quem)
    },
    receber: async (conexao, recebida) => {
      const aparelho = donoDaLinha.get(conexao)
      if (aparelho === undefined) return pareamento.receber(conexao, recebida)
      if (falhas.engolir?.(recebida) === true) return
      await tratar(aparelho, conexao, recebida)
    },
    fechou: (conexao) => {
      conexoes.delete(conexao)
      const aparelho = donoDaLinha.get(conexao)
      donoDaLinha.delete(conexao)
      if (aparelho?.conexao === conexao) aparelho.conexao = null
      if (aparelho !== undefined) eventos.emit('caiu', aparelho)
    },
    falhou: (erro) => void eventos.emit('erro', erro),
  }

  const tratar = async (aparelho: Aparelho, conexao: Conexao, recebida: BinaryNode): Promise<void> => {
    const { id, to, type } = recebida.attrs
    switch (recebida.tag) {
      case 'iq':
        return consultar(aparelho, conexao, recebida)
      case 'message':
        return encaminhar({ aparelho, id: id ?? '', para: to ?? '', stanza: recebida }, conexao)
      case 'receipt':
        if (type !== 'retry' && type !== 'read') confirmar(aparelho, recebida)
        conexao.enviar(stanza('ack', { class: 'receipt', id, from: to, type, t: agora() }))
        eventos.emit('recibo', { aparelho, stanza: recebida })
        return
      case 'ack':
        confirmar(aparelho, recebida)
        eventos.emit('ack', { aparelho, stanza: recebida })
        return
      case 'presence':
      case 'chatstate':
        eventos.emit('presenca', { aparelho, stanza: recebida })
        return
      default:
    }
  }

  const consultar = async (aparelho: Aparelho, conexao: Conexao, iq: BinaryNode): Promise<void> => {
    const resposta = await responderConsulta(agenda, aparelho, iq)
    conexao.enviar(stanza('iq', { id: iq.attrs.id, from: iq.attrs.to ?? SERVIDOR, type: 'result' }, resposta))
    const pedido = filho(iq)?.tag
    if (iq.attrs.xmlns === 'passive' && pedido === 'active') {
      ativar(aparelho)
      eventos.emit('conectou', aparelho)
    }
    if (pedido === 'remove-companion-device') {
      eventos.emit('saiu', aparelho)
      remover(aparelho)
    }
  }

  const encaminhar = async (enviada: Enviada, conexao: Conexao): Promise<void> => {
    const { id, para } = enviada
    const error = falhas.recusar?.(enviada)
    if (falhas.calarAck?.(enviada) !== true) {
      conexao.enviar(stanza('ack', { class: 'message', id, from: para, t: agora(), error }))
    }
    eventos.emit('enviada', enviada)
    if (error !== undefined || falhas.perder?.(enviada) === true) return
    for (const { jid, enc } of destinosDe(enviada)) {
      if (aparelhoDe(jid) === 0) await agenda.achar(jid)?.entregar(enviada, enc)
    }
  }

  const despedir = (codigo: string): void => {
    for (const conexao of donoDaLinha.keys()) {
      conexao.enviar(stanza('stream:error', { code: codigo }))
      conexao.fechar()
    }
  }

  const bloquear = (ate: Date | null): void => {
    const aviso = { is_active: ate !== null, time_enforcement_ends: String(Math.floor((ate?.getTime() ?? 0) / 1000)) }
    const data = { xwa2_notify_account_reachout_timelock: aviso }
    const conteudo = stanza(
      'update',
      { op_name: 'NotificationUserReachoutTimelockUpdate' },
      Buffer.from(JSON.stringify({ data })),
    )
    for (const aparelho of donoDaLinha.values()) {
      entregarAo(
        aparelho,
        stanza('notification', { id: novoId(''), type: 'mex', from: SERVIDOR, t: agora() }, [conteudo]),
      )
    }
  }

  const cortarTudo = (): void => {
    for (const conexao of conexoes) conexao.cortar()
  }

  const wss = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  wss.on(
    'connection',
    (socket) => void conexoes.add(createConexao(socket, createAperto(estatica, certificado), portaria)),
  )
  await once(wss, 'listening')
  const endereco = wss.address()
  const porta = endereco !== null && typeof endereco === 'object' ? endereco.port : 0

  return {
    url: `ws://127.0.0.1:${porta}/ws/chat`,
    eventos,
    falhas,
    pareamento,
    incluir: agenda.incluir,
    incluirDono: agenda.incluirDono,
    novoId,
    despedir,
    bloquear,
    remover,
    decodificar: async (bytes) => decodeBinaryNode(bytes),
    cortarTudo,
    fechar: async () => {
      cortarTudo()
      await new Promise<void>((resolve) => wss.close(() => resolve()))
    },
  }
}

function destinosDe({ para, stanza: enviada }: Enviada): { jid: string; enc: BinaryNode }[] {
  const direta = filho(enviada, 'enc')
  if (direta !== undefined) return [{ jid: para, enc: direta }]
  return filhos(filho(enviada, 'participants'), 'to').flatMap((to) => {
    const enc = filho(to, 'enc')
    return enc === undefined ? [] : [{ jid: to.attrs.jid ?? '', enc }]
  })
}
