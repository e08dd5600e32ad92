import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'
import { createEmCurso } from '#adapters/em-curso.ts'
import { type Connector, EnvioFalhou, type OutboundMessage, type SessionHost } from '#ports/messaging.ts'
import { type Aberta, abrir, semProtecao } from './abrir.ts'
import type { Biblioteca } from './biblioteca.ts'
import { createCodigos } from './codigos.ts'
import { createQuemE, paraWeb, type QuemE } from './enderecos.ts'
import { createEntrada } from './entrada.ts'
import { createEnvio, type Envio } from './envio.ts'
import { FalhaDoNavegador, falhaDeAbertura } from './falhas.ts'
import { decidirFechamento, esperaMs } from './fechamento.ts'
import { ehConversa, euSchema } from './formas.ts'
import { createNossas } from './nossas.ts'
import { PADRAO, type SessaoOptions } from './opcoes.ts'
import type { Ouvintes } from './ouvir.ts'
import { pedirCodigo } from './pedir-codigo.ts'
import { comPrazo } from './prazo.ts'
import { createRecibos } from './recibos.ts'
import { createRecuperacao } from './recuperar.ts'
import { createRitmo, LIVRE } from './ritmo.ts'
import { createVigia } from './vigia.ts'
import { createVinculo } from './vinculo.ts'

const CODIGO_MS = 3 * 60_000
const PERGUNTA_MS = 10_000
const SEM_RESPOSTA_MAXIMO = 3
const RECUPERAR_A_CADA = 10
/** Timeout from scan to loaded page: a phone with many chats is slow. */
const APRONTAR_MS = 5 * 60_000
const SUBSTITUICAO_MS = 10 * 60_000
const SEM_CONEXAO = 'sem conexão com o WhatsApp'
const A_CAMINHO: ReadonlySet<unknown> = new Set(['OPENING', 'PAIRING', 'TIMEOUT'])

/** Links one account to one phone through its own browser. Reopens the browser after failures. */
export function createSessao(host: SessionHost, opcoes: SessaoOptions): Connector {
  const { contaId } = host
  const { registrar, perfis, permitidos, esperas = esperaMs } = opcoes
  const { carregarMs, envioMs: prazoMs, vigiaMs, memoriaMaxima } = { ...PADRAO, ...opcoes }
  const vinculo = createVinculo(host, registrar)
  const nossas = createNossas(host)
  const ritmo = opcoes.livre === true ? LIVRE : createRitmo()
  const emCurso = createEmCurso()
  const inicioMs = Date.now()
  let biblioteca: Biblioteca | null = null
  let envio: Envio | null = null
  let aberta: Aberta | null = null
  let quem: QuemE | null = null
  let iniciada = false
  let parada = false
  let pronta = false
  let conectada = false
  let tentativas = 0
  let semResposta = 0
  let olhadas = 0
  let ouvidaEm = 0
  let mexidaEm = 0
  let substituidaEm = -Infinity
  let volta: NodeJS.Timeout | undefined
  let soltarVaga: (() => void) | null = null
  let soltarVez: (() => void) | null = null
  let trabalho: Promise<void> = Promise.resolve()

  const passo = (fazer: () => Promise<void>): void => {
    trabalho = trabalho.then(fazer).catch((erro: unknown) => registrar(erro, 'session step failed'))
  }
  /** Ignores events of a browser that was already replaced. */
  const seAinda = (fazer: () => Promise<void>): void => {
    const minha = aberta
    passo(() => (aberta === minha && !parada ? fazer() : Promise.resolve()))
  }
  const contar: SessionHost['estado'] = (estado) => (parada ? Promise.resolve() : host.estado(estado))

  const buscar = async (idWeb: string): Promise<unknown> =>
    aberta === null ? null : comPrazo(aberta.cliente.getMessageById(idWeb), PERGUNTA_MS)
  const recibo = createRecibos(host, nossas)
  const entrada = createEntrada({ host, nossas, registrar, buscar })
  const { naVez, segurar, recuperar } = createRecuperacao((bruta) => {
    if (quem !== null) entrada.chegou(bruta, quem, { antiga: true })
  })

  const fecharAberta = async (): Promise<void> => {
    const minha = aberta
    codigos.parar()
    segurar()
    aberta = null
    quem = null
    pronta = false
    conectada = false
    semResposta = 0
    await minha?.fechar()
  }

  const perder = async (motivo: MotivoBot): Promise<void> => {
    await fecharAberta()
    if (parada) return
    await contar({ tipo: 'reconectando', motivo })
    volta = setTimeout(() => passo(abrirAgora), esperas(tentativas))
    tentativas += 1
  }

  const encerrar = async (status: StatusBot, motivo: MotivoBot): Promise<void> => {
    await fecharAberta()
    if (motivo === 'desconectadoNoCelular' || motivo === 'banido') {
      vinculo.esquecer()
      // A failure is harmless: the next link starts with an empty folder.
      await perfis.apagar(contaId).catch((erro: unknown) => registrar(erro, 'profile folder not deleted'))
    }
    await contar({ tipo: 'encerrado', status, motivo })
  }

  const abrirAgora = async (): Promise<void> => {
    if (parada) return
    try {
      biblioteca ??= await opcoes.carregar()
      const { arquivo } = biblioteca
      envio ??= createEnvio({ host, nossas, arquivo, prazoMs, inicioMs })
      soltarVaga ??= opcoes.vagas.tomar()
      if (soltarVaga === null) throw new FalhaDoNavegador('navegadorSemMemoria', 'browser limit reached')
      mexidaEm = performance.now()
      const vazia = !vinculo.existe()
      aberta = await abrir({ host, perfis, biblioteca, vazia, carregarMs, registrar, ao, permitidos })
      quem = createQuemE(aberta.cliente)
      if (estaDePe()) await aberta.carregar()
    } catch (erro) {
      if (parada) return
      registrar(erro, 'browser not opened')
      const { definitiva, motivo } = falhaDeAbertura(erro)
      await (definitiva ? encerrar('ERRO', motivo) : perder(motivo))
    }
  }
  const estaDePe = (): boolean => !parada

  const mostrar = (qrCode: string): void => {
    const duraMs = codigos.novo()
    if (duraMs === null) return expirou()
    void contar({ tipo: 'pareando', qrCode, expiraEm: new Date(Date.now() + duraMs) })
  }
  const expirou = (): void => seAinda(() => encerrar('PARADO', 'qrExpirado'))
  const codigos = createCodigos(expirou, opcoes.qrMs)

  const autenticado = (): void => {
    mexidaEm = performance.now()
    if (codigos.mostrando()) void contar({ tipo: 'conectando' })
    codigos.parar()
    void vinculo.criar()
  }

  const conectou = async (): Promise<void> => {
    // Written before the state: a bot that was shown as connected must reconnect without a new scan.
    if (!(await vinculo.criar())) return perder('erroInterno')
    if (aberta === null) return
    pronta = true
    conectada = true
    tentativas = 0
    semResposta = 0
    ouvidaEm = performance.now()
    const { data: eu } = euSchema.safeParse(aberta.cliente.info)
    await contar({ tipo: 'conectado', como: eu?.pushname || eu?.wid.user || '' })
    await recuperar(aberta.cliente, vinculo.desde())
  }

  const ao: Ouvintes & { readonly caiu: () => void } = {
    codigo: mostrar,
    autenticado,
    pronto: () => seAinda(conectou),
    recusado: () => seAinda(() => encerrar('erro_auth', 'credenciaisInvalidas')),
    estado: (estado) => {
      if (estado === 'CONNECTED' && pronta && !conectada) seAinda(conectou)
      if (!A_CAMINHO.has(estado) || !conectada) return
      // The page reconnects; until then no message is sent to it.
      conectada = false
      void contar({ tipo: 'reconectando', motivo: 'semRede' })
    },
    desconectado: (razao) => {
      const fechamento = decidirFechamento(razao, performance.now() - substituidaEm < SUBSTITUICAO_MS)
      if (razao === 'CONFLICT') substituidaEm = performance.now()
      registrar(razao, 'link ended by the page')
      const { motivo } = fechamento
      seAinda(() => (fechamento.tipo === 'esperar' ? perder(motivo) : encerrar(fechamento.status, motivo)))
    },
    caiu: () => seAinda(() => perder('navegadorCaiu')),
    mensagem: (bruta) => {
      ouvidaEm = performance.now()
      naVez(() => {
        if (quem !== null) entrada.chegou(bruta, quem)
      })
    },
    mudou: (mudada) => {
      naVez(() => {
        if (quem !== null) entrada.mudou(mudada, quem)
      })
    },
    recibo: (mensagem, ack) => {
      if (!parada) recibo(mensagem, ack).catch((erro: unknown) => registrar(erro, 'receipt lost'))
    },
  }

  const olhar = async (): Promise<void> => {
    const atual = aberta
    if (atual === null || parada) return
    if (!pronta) {
      if (!codigos.mostrando() && performance.now() - mexidaEm > APRONTAR_MS) seAinda(() => perder('servicoInstavel'))
      return
    }
    try {
      const estado = await comPrazo(atual.cliente.getState(), PERGUNTA_MS)
      semResposta = estado === 'CONNECTED' ? 0 : semResposta + 1
      if (estado === 'CONNECTED') ouvidaEm = performance.now()
      if (estado === 'CONNECTED' && !conectada) seAinda(conectou)
      olhadas += 1
      // Also finds messages of a reloaded page that emits no events.
      if (olhadas % RECUPERAR_A_CADA === 0) await recuperar(atual.cliente, vinculo.desde())
    } catch (erro) {
      registrar(erro, 'page not responding')
      semResposta += 1
    }
    await vinculo.avancar(entrada.marco())
    const memoria = (await atual.memoria().catch(() => null)) ?? 0
    const demais = memoria > memoriaMaxima
    if (demais) registrar(`${Math.round(memoria / 2 ** 20)} MB`, 'browser over memory limit, reopening')
    if (atual === aberta && (demais || semResposta >= SEM_RESPOSTA_MAXIMO)) seAinda(() => perder('navegadorCaiu'))
  }
  const vigia = createVigia(vigiaMs, olhar)

  const parar = async (despedir: (atual: Aberta) => Promise<void>): Promise<void> => {
    const atual = aberta
    const comPagina = pronta
    parada = true
    entrada.fechar()
    vigia.parar()
    clearTimeout(volta)
    codigos.parar()
    if (atual !== null && comPagina) await despedir(atual)
    await atual?.fechar()
    await trabalho
    await fecharAberta()
  }
  const enviar = async (mensagem: OutboundMessage): Promise<void> => {
    await ritmo.vez(mensagem.endereco)
    if (aberta === null || envio === null || !conectada) throw new EnvioFalhou(SEM_CONEXAO)
    await envio(aberta.cliente, mensagem)
    ouvidaEm = performance.now()
  }
  const liberar = (): void => {
    soltarVaga?.()
    soltarVez?.()
  }

  return {
    capacidades: { digitando: true },
    silencioMs: () => (conectada ? performance.now() - ouvidaEm : null),
    start: async () => {
      if (iniciada) return
      iniciada = true
      if (semProtecao) registrar('running as root', 'browser sandbox off, run the server as another user')
      await contar({ tipo: 'conectando' })
      // Opening takes seconds and must not delay other bots.
      if (!estaDePe()) return
      passo(async () => {
        soltarVez = await opcoes.vezes.tomar(contaId)
        await abrirAgora()
      })
      vigia.iniciar()
    },
    stop: async () => {
      try {
        await parar(() => vinculo.avancar(entrada.marco()))
      } finally {
        liberar()
      }
    },
    logout: async () => {
      try {
        await parar((atual) => comPrazo(atual.cliente.logout(), PERGUNTA_MS).catch(() => undefined))
        await perfis.apagar(contaId)
      } finally {
        liberar()
      }
    },
    send: (mensagem) => emCurso(mensagem.idExterno, () => enviar(mensagem)),
    digitando: (endereco) => {
      aberta?.cliente
        .getChatById(paraWeb(endereco))
        .then((conversa) => (ehConversa(conversa) ? conversa.sendStateTyping() : undefined))
        .catch(() => undefined)
    },
    codigo: async (telefone) => {
      if (aberta === null || !codigos.mostrando() || vinculo.existe()) return null
      const codigo = await pedirCodigo(aberta.cliente, telefone)
      codigos.esperar(CODIGO_MS)
      return { codigo, expiraEm: new Date(Date.now() + CODIGO_MS) }
    },
  }
}
