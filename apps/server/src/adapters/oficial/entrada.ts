import { setTimeout as dormir } from 'node:timers/promises'
import type { SessionHost } from '#ports/messaging.ts'
import type { ChegadaOficial, DiarioOficial } from '#ports/oficial.ts'
import { type AlteracaoDaMeta, lerAlteracao } from './alteracao.ts'
import { createAlteracoes } from './alteracoes.ts'
import { type Novidade, novidadeSchema } from './aviso.ts'
import { lerMensagem, type MensagemDaMeta } from './conteudo.ts'
import { createEspera } from './espera.ts'

/** Carries what the webhook brought to the bot, in order for each customer, and forgets it once the bot has it for good. */
export interface Entrada {
  /** Something is in the journal. Resolves once all that it says of messages of ours has been handed over. */
  readonly chegou: () => Promise<void>
  readonly fechar: () => void
}

export interface EntradaOptions {
  readonly host: Pick<SessionHost, 'contaId' | 'receber' | 'alterar' | 'citada'>
  readonly diario: DiarioOficial
  /** Without its file a message still says what it carried; fails only where the file may be had later. */
  readonly comArquivo: (mensagem: MensagemDaMeta) => Promise<MensagemDaMeta['recebida']>
  readonly status: (status: Extract<Novidade, { tipo: 'status' }>) => Promise<void>
  readonly registrar: (erro: unknown, oQue: string) => void
}

/** Before what could not be handed over is tried again. */
const ESPERA_MS = 2_000
/** After so many, what the same person said next no longer waits for it. */
const TENTATIVAS = 30

export function createEntrada({ host, diario, comArquivo, status, registrar }: EntradaOptions): Entrada {
  const { contaId } = host
  const emAndamento = new Set<string>()
  const noticias = new Set<Promise<void>>()
  /** What could not be handed over just now. */
  const adiadas = new Set<string>()
  const espera = createEspera(() => void chegou())
  const alterar = createAlteracoes(host)
  const pessoas = new Map<string, Promise<unknown>>()
  let lendo: Promise<void> | null = null
  let denovo = false
  let fechada = false
  let nova: NodeJS.Timeout | undefined
  const { promise: acabou, resolve: acabar } = Promise.withResolvers<void>()

  /** A store that fails comes back: until then what the same person says next waits, or it would pass in front. */
  const insistir = async <T>(passo: () => Promise<T>): Promise<T> => {
    for (let vez = 1; ; vez += 1) {
      if (fechada) throw new Error('the session is over')
      try {
        return await passo()
      } catch (erro) {
        if (fechada || vez >= TENTATIVAS) throw erro
        registrar(erro, 'what the webhook brought could not be handed over; trying again')
        await Promise.race([dormir(ESPERA_MS, undefined, { ref: false }), acabou])
      }
    }
  }

  const ler = async (): Promise<void> => {
    do {
      denovo = false
      const chegadas = await diario.chegadas(contaId, [...emAndamento, ...adiadas, ...espera.ids()])
      const lidas = chegadas.map(abrir).toSorted((a, b) => a.em - b.em)
      for (const lida of lidas) comecar(lida)
      // A full page: there may be more.
      if (chegadas.length > 0) denovo = true
    } while (continuar())
  }
  const continuar = (): boolean => denovo && !fechada

  const comecar = (lida: Aberta): void => {
    const { id } = lida
    const feito = entregar(lida)
      .then((pronta) => (pronta ? id : esperar(lida)))
      .then((acabada) => (acabada === null ? undefined : diario.concluir(contaId, [acabada])))
      .catch((erro: unknown) => {
        adiadas.add(id)
        depois(erro)
      })
      .finally(() => {
        emAndamento.delete(id)
        noticias.delete(feito)
      })
    emAndamento.add(id)
    // A picture takes its time, and nobody waits for it.
    if (lida.novidade?.tipo === 'status') noticias.add(feito)
  }

  /** False for what changes a message that has not come. */
  const entregar = async ({ novidade, mensagem, alteracao, chegouEm }: Aberta): Promise<boolean> => {
    if (novidade?.tipo === 'status') await status(novidade)
    else if (alteracao !== null) {
      const haMs = Date.now() - chegouEm.getTime()
      return naVezDe(alteracao.alteracao.endereco, () => insistir(() => alterar(alteracao, haMs)))
    } else if (mensagem !== null) await naVezDe(mensagem.recebida.endereco, () => receber(mensagem))
    return true
  }

  /** Which one is over now, if any. */
  const esperar = ({ id, alteracao, chegouEm }: Aberta): string | null =>
    alteracao === null || fechada ? null : espera.esperar(id, alteracao.alteracao.alvo, Date.now() - chegouEm.getTime())

  const receber = async (mensagem: MensagemDaMeta): Promise<void> => {
    const recebida = await comArquivo(mensagem)
    await insistir(async () => {
      // Meta names what is quoted and does not say what it said.
      const citada = mensagem.citada === undefined ? null : await host.citada(recebida, mensagem.citada)
      if (fechada) throw new Error('the session is over')
      await host.receber(citada === null ? recebida : { ...recebida, citada })
    })
    if (espera.chegou(recebida.id)) void chegou()
  }

  /** A file takes its time; what the same person writes after it waits for it, and nobody else does. */
  const naVezDe = <T>(endereco: string, passo: () => Promise<T>): Promise<T> => {
    const feito = (pessoas.get(endereco) ?? Promise.resolve()).then(passo, passo)
    pessoas.set(endereco, feito)
    const sair = (): void => {
      if (pessoas.get(endereco) === feito) pessoas.delete(endereco)
    }
    feito.then(sair, sair)
    return feito
  }

  const depois = (erro: unknown): void => {
    if (fechada) return
    registrar(erro, 'what the webhook brought could not be handed over; trying again')
    nova ??= setTimeout(() => {
      nova = undefined
      adiadas.clear()
      void chegou()
    }, ESPERA_MS)
  }

  const chegou = async (): Promise<void> => {
    // Whoever rings while it is being read may know of more than this reading sees.
    denovo = true
    if (fechada) return
    lendo ??= ler()
      .catch(depois)
      .finally(() => (lendo = null))
    await lendo
    await Promise.all(noticias)
  }

  return {
    chegou,
    fechar: () => {
      fechada = true
      espera.fechar()
      clearTimeout(nova)
      acabar()
    },
  }
}

interface Aberta {
  readonly id: string
  readonly novidade: Novidade | null
  /** Null also for what is no message to the business. */
  readonly mensagem: MensagemDaMeta | null
  readonly alteracao: AlteracaoDaMeta | null
  readonly chegouEm: Date
  /** Meta brings them in any order: those that wait together go by the time they were sent. */
  readonly em: number
}

function abrir({ id, valor, chegouEm: instante }: ChegadaOficial): Aberta {
  // In whole seconds, as Meta tells time: those of one second keep the order of the journal.
  const chegouEm = new Date(Math.floor(instante.getTime() / 1_000) * 1_000)
  const lida = novidadeSchema.safeParse(JSON.parse(valor))
  const novidade = lida.success ? lida.data : null
  const deles = novidade?.tipo === 'mensagem' ? novidade : null
  const mensagem = deles === null ? null : lerMensagem(deles.mensagem, { ...deles, chegouEm })
  const alteracao = deles === null ? null : lerAlteracao(deles.mensagem, { ...deles, chegouEm })
  return {
    ...{ id, novidade, mensagem, alteracao, chegouEm },
    em: (mensagem?.recebida.enviadaEm ?? alteracao?.em)?.getTime() ?? 0,
  }
}
