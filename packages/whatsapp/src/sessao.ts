import { setTimeout as dormir } from 'node:timers/promises'
import { Boom } from '@hapi/boom'
import { type BinaryNode, isPnUser, jidDecode, jidNormalizedUser, type WASocket } from 'baileys'
import { type AEnviar, type Anfitriao, type Conector, type Estado, Falhou } from './anfitriao.ts'
import { type Buscar, createArmazem, type LugarDeEnvio } from './armazem.ts'
import { createAusentes } from './ausentes.ts'
import { createBloqueio } from './bloqueio.ts'
import { createCodigosNaTela } from './codigos-na-tela.ts'
import { createConfirmacoes, PRAZO_MS, RESTRITA } from './confirmacoes.ts'
import { abrirCredenciais, type ChavesDaLinha, createChaves } from './credenciais.ts'
import { desvincular, sairDaLinha } from './desvincular.ts'
import { createDiario } from './diario.ts'
import { createEntrada } from './entrada.ts'
import { createEnviadas } from './enviadas.ts'
import { decidirFechamento, esperaMs } from './fechamento.ts'
import { idDe } from './id.ts'
import { createLigacoes } from './ligacao.ts'
import { abrirLinha, type OuvintesDaLinha } from './linha.ts'
import { montarMensagem } from './midia.ts'
import { ehIlegivel, type Eu, jidDe } from './mensagem.ts'
import { createNaoLidas } from './nao-lidas.ts'
import { createNumeroDoLid } from './numero-do-lid.ts'
import { pedirCodigo } from './pedir-codigo.ts'
import type { Registrar } from './registro.ts'
import { createReenvios } from './reenvios.ts'
import { createRitmo, esperarVez, LIVRE, type RitmoOptions } from './ritmo.ts'
import { createVoltas } from './voltas.ts'

export interface SessaoOptions {
  readonly url: string
  readonly midiaUrl?: string | undefined
  readonly buscar?: Buscar
  readonly registrar: Registrar
  readonly versao?: readonly [number, number, number]
  readonly qrMs?: number
  readonly ritmo?: 'livre' | RitmoOptions
  /** Milliseconds before the n-th reconnect. */
  readonly esperas?: (tentativa: number) => number
  readonly firmeMs?: number
  readonly ackMs?: number
  readonly toqueMs?: number
  readonly ausenteMs?: number
}

const DESPEDIDA_MS = 3_000
const SEM_CONEXAO = 'sem conexão com o WhatsApp'

/**
 * Creates the connection of one conta to one phone. It reconnects automatically until `stop`, `logout` or a final
 * close code.
 */
export function createSessao(host: Anfitriao, opcoes: SessaoOptions): Conector {
  const { registrar, esperas = esperaMs } = opcoes
  const credenciais = abrirCredenciais(host, (erro) => registrar(erro, 'credentials not written'))
  const { creds } = credenciais
  const confirmacoes = createConfirmacoes(opcoes.ackMs)
  const ritmo = opcoes.ritmo === 'livre' ? LIVRE : createRitmo(opcoes.ritmo)
  const bloqueio = createBloqueio()
  const voltas = createVoltas(opcoes.firmeMs)
  const enviadas = createEnviadas(host, {
    registrar,
    eu: () => eu(),
    chegou: (id, aQuem) => reenvios.entregue(id, aQuem),
  })
  const armazem = createArmazem(opcoes.midiaUrl, opcoes.buscar)
  const lidas = createNaoLidas()
  let linha: WASocket | null = null
  let chaves: ChavesDaLinha | null = null
  let aberta = false
  let iniciada = false
  let parada = false
  let quadroEm: number | null = null
  let volta: NodeJS.Timeout | undefined

  const eu = (): Eu => ({ jid: creds.me?.id ?? '', lid: creds.me?.lid ?? '' })
  const pareado = (): boolean => creds.account !== undefined
  const numeroDoLid = createNumeroDoLid(host.chaves, () => linha)
  const entrada = createEntrada({
    host,
    armazem,
    lidas,
    registrar,
    eu,
    numeroDoLid,
    andando: (chegada) => ligacoes.tocando(chegada.id) || ausentes.esperar(chegada),
    apareceu: (id) => ausentes.apareceu(id),
    falta: (id) => ausentes.falta(id),
    idExternoDe: enviadas.idExternoDe,
  })
  const ligacoes = createLigacoes({ chaves: host.chaves, eu, perdida: entrada.chegou, toqueMs: opcoes.toqueMs })
  const ausentes = createAusentes({ chaves: host.chaves, faltou: entrada.chegou, esperaMs: opcoes.ausenteMs })
  const diario = createDiario({
    meuId: () => creds.me?.id,
    meuLid: () => creds.me?.lid,
    chegou: (id, valor) => entrada.chegou({ id, valor }),
  })

  const contar = (estado: Estado): void => {
    if (parada) return
    host.estado(estado).catch((erro: unknown) => registrar(erro, 'link state not stored'))
  }

  const codigos = createCodigosNaTela(contar, opcoes.qrMs)

  const abrir = async (): Promise<void> => {
    await chaves?.encerrar()
    if (parada) return
    codigos.recomecar()
    // Deletes the number of a code request, because no phone has linked it yet.
    if (!pareado()) delete creds.me
    chaves = createChaves(host, semChaves)
    linha = abrirLinha({ ...opcoes, creds, chaves, diario, buscar: enviadas.buscar, ao: ouvintes })
  }

  // Without its keys the library would refuse the message, and the server would delete it. With a closed connection
  // the server keeps it.
  const semChaves = (erro: unknown): void => {
    registrar(erro, 'key store failed, connection closed')
    void linha?.end(new Boom('key store', { statusCode: 428 }))
  }

  /** Closes the connection if the stanza could not be stored. The server repeats it on the next connection. */
  const guardado = async (feito: Promise<void>): Promise<void> => {
    await feito.catch((erro: unknown) => {
      semChaves(erro)
      throw erro
    })
  }

  const fechou = (codigo: number | undefined): void => {
    ausentes.linha(false)
    aberta = false
    linha = null
    quadroEm = null
    confirmacoes.desistir()
    if (parada) return
    const fechamento = decidirFechamento({
      codigo,
      pareado: pareado(),
      codigosAcabaram: codigos.acabaram(),
      ...voltas.fechou(codigo),
    })
    switch (fechamento.tipo) {
      case 'reabrir':
        // The credentials of the pairing must be stored before the reconnect.
        void credenciais.salvar().then(abrir)
        return
      case 'esperar':
        contar({ tipo: 'reconectando', motivo: fechamento.motivo })
        volta = setTimeout(() => void abrir(), esperas(voltas.proxima()))
        return
      case 'encerrar':
        contar({ tipo: 'encerrado', status: fechamento.status, motivo: fechamento.motivo })
        encerrar()
        return
      default:
        return fechamento satisfies never
    }
  }

  const digitando = (jid: string): void => {
    const endereco = jidNormalizedUser(jid)
    if (isPnUser(endereco) === true) return host.digitando({ endereco, telefone: jidDecode(endereco)?.user ?? '' })
    numeroDoLid(endereco)
      .then((numero) => host.digitando({ endereco, telefone: jidDecode(numero ?? undefined)?.user ?? '' }))
      .catch(() => undefined)
  }

  const ouvintes: OuvintesDaLinha = {
    // Before a phone has linked, there is nothing to store.
    credenciais: () => void (pareado() ? credenciais.salvar() : undefined),
    codigo: codigos.mostrar,
    codigoRenovado: codigos.renovar,
    abriu: () => {
      aberta = true
      voltas.abriu()
      ausentes.linha(true)
      reenvios.retomar()
      contar({ tipo: 'conectado', como: creds.me?.name ?? jidDecode(creds.me?.id)?.user ?? '' })
    },
    fechou,
    mensagem: (mensagem) => {
      if (mensagem.key.fromMe === true) return
      entrada.contada(mensagem)
      if (ehIlegivel(mensagem)) ausentes.ilegivel(mensagem).catch(semChaves)
    },
    ausente: (stanza) => guardado(ausentes.viu(stanza)),
    quadro: () => (quadroEm = performance.now()),
    ack: (ack) => {
      const { id = '', error } = ack.attrs
      const esperada = confirmacoes.recebeu(ack)
      if (error === undefined) return
      if (error !== RESTRITA) return esperada ? undefined : reenvios.recusado(id)
      bloqueio.recusou(ack.attrs.from ?? '')
      // The answer arrives as a `bloqueio` event.
      linha?.fetchAccountReachoutTimelock().catch(() => undefined)
    },
    bloqueio: bloqueio.avisado,
    ligacao: (stanza) => guardado(ligacoes.viu(stanza)),
    recibo: (recibo: BinaryNode) => enviadas.recibo(recibo),
    pedido: (id, quem) => reenvios.pedido(id, quem).catch(semChaves),
    digitando,
  }

  const lugar = async (): Promise<LugarDeEnvio> => {
    const conexao = await linha?.refreshMediaConn(false)
    const [host] = conexao?.hosts ?? []
    if (conexao === undefined || host === undefined) throw new Error(SEM_CONEXAO)
    return { hostname: host.hostname, auth: conexao.auth }
  }

  const entregar = async (mensagem: AEnviar): Promise<void> => {
    const chat = jidDe(mensagem.endereco)
    const conteudo = await montarMensagem(mensagem, { armazem, lugar, lerMidia: host.lerMidia, chat, eu: eu() })
    if (linha === null || !aberta) throw new Falhou(SEM_CONEXAO)
    const messageId = idDe(mensagem.idExterno)
    const escrita = diario.cifrarPara(chat, () => linha?.relayMessage(chat, conteudo, { messageId }))
    // In parallel, because the library may wait a minute for a closed connection.
    await Promise.all([escrita, confirmacoes.esperar(messageId)])
    const keys = lidas.respondida(mensagem.endereco)
    // A lost read receipt is harmless.
    if (keys.length > 0) linha?.readMessages(keys).catch(() => undefined)
  }

  const reenvios = createReenvios({
    ...{ chaves: host.chaves, esperas, registrar },
    parada: () => parada,
    prazoMs: opcoes.ackMs ?? PRAZO_MS,
    enviar: async (id, quem) => {
      const mensagem = await enviadas.achar(id)
      if (mensagem === undefined) return
      // After several requests for one message the library ignores their keys, and the stored ones may be used up.
      // This fetches new ones.
      await linha?.assertSessions([...quem], true)
      await entregar(mensagem)
    },
  })

  const encerrar = (): void => {
    parada = true
    clearTimeout(volta)
    entrada.fechar()
    ligacoes.fechar()
    ausentes.fechar()
    confirmacoes.desistir()
  }

  const soltarLinha = async (): Promise<void> => {
    // A dead network never answers the close.
    await Promise.race([linha?.end(undefined), dormir(DESPEDIDA_MS, undefined, { ref: false })])
    await chaves?.encerrar()
  }

  return {
    silencioMs: () => (quadroEm === null ? null : performance.now() - quadroEm),
    start: async () => {
      if (iniciada) return
      iniciada = true
      await host.estado({ tipo: 'conectando' })
      // Keys of earlier credentials would not match the new ones.
      if (credenciais.novas) await host.chaves.apagar()
      // Messages of an earlier process come before those of the new connection.
      await entrada.recuperar()
      await abrir()
    },
    stop: async () => {
      encerrar()
      await soltarLinha()
      await reenvios.fechar()
    },
    logout: async () => {
      const sock = aberta ? linha : null
      encerrar()
      const naLinha = sock !== null && (await sairDaLinha(sock))
      await soltarLinha()
      // Without this, the phone would keep listing a device whose keys are deleted.
      const saiu = sock === null && pareado() ? await desvincular(creds, opcoes) : naLinha || !pareado()
      if (!saiu) registrar(new Error('no answer'), 'phone not notified of the logout')
    },
    send: async (mensagem) => {
      const chat = jidDe(mensagem.endereco)
      await esperarVez(ritmo, mensagem, () => parada)
      await bloqueio.conferir(chat, async () => (await linha?.signalRepository.validateSession(chat))?.exists ?? false)
      await entregar(mensagem)
    },
    digitando: (endereco) => {
      linha?.sendPresenceUpdate('composing', jidDe(endereco)).catch(() => undefined)
    },
    codigo: async (telefone) => {
      if (linha === null || !codigos.houve() || pareado()) return null
      const sock = linha
      const codigo = await pedirCodigo(sock, telefone)
      // The code is valid until the connection ends, with the last QR code.
      return codigo === null || linha !== sock ? null : { codigo, expiraEm: codigos.ultimoExpira() }
    },
  }
}
