import { setTimeout as dormir } from 'node:timers/promises'
import type { SessionHost } from '#ports/messaging.ts'
import type { ChegadaOficial, DiarioOficial } from '#ports/oficial.ts'
import { type AlteracaoDaMeta, lerAlteracao } from './alteracao.ts'
import { createAlteracoes } from './alteracoes.ts'
import { type Novidade, novidadeSchema } from './aviso.ts'
import { lerMensagem, type MensagemDaMeta } from './conteudo.ts'
import { createEspera } from './espera.ts'

/** Delivers journal entries to the bot, in order per contato, and deletes each once the bot has stored it. */
export interface Entrada {
  /** The journal has new entries. Resolves when all statuses of our messages in it have been handled. */
  readonly chegou: () => Promise<void>
  readonly fechar: () => void
}

export interface EntradaOptions {
  readonly host: Pick<SessionHost, 'contaId' | 'receber' | 'alterar' | 'citada'>
  readonly diario: DiarioOficial
  /**
   * Downloads the file of a message. Without its file the message still names the type of media. Fails only when a
   * later attempt may succeed.
   */
  readonly comArquivo: (mensagem: MensagemDaMeta) => Promise<MensagemDaMeta['recebida']>
  readonly status: (status: Extract<Novidade, { tipo: 'status' }>) => Promise<void>
  readonly registrar: (erro: unknown, oQue: string) => void
}

const ESPERA_MS = 2_000
/** After this many attempts, later messages of the same person stop waiting for it. */
const TENTATIVAS = 30

export function createEntrada({ host, diario, comArquivo, status, registrar }: EntradaOptions): Entrada {
  const { contaId } = host
  const emAndamento = new Set<string>()
  const noticias = new Set<Promise<void>>()
  const adiadas = new Set<string>()
  const espera = createEspera(() => void chegou())
  const alterar = createAlteracoes(host)
  const pessoas = new Map<string, Promise<unknown>>()
  let lendo: Promise<void> | null = null
  let denovo = false
  let fechada = false
  let nova: NodeJS.Timeout | undefined
  const { promise: acabou, resolve: acabar } = Promise.withResolvers<void>()

  /** Retries while the store fails, because the next message of the same person must not overtake this one. */
  const insistir = async <T>(passo: () => Promise<T>): Promise<T> => {
    for (let vez = 1; ; vez += 1) {
      if (fechada) throw new Error('session closed')
      try {
        return await passo()
      } catch (erro) {
        if (fechada || vez >= TENTATIVAS) throw erro
        registrar(erro, 'webhook entry not delivered, retrying')
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
      // A non-empty page: there may be more entries.
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
    // Callers wait only for statuses; a file would take too long.
    if (lida.novidade?.tipo === 'status') noticias.add(feito)
  }

  /** Returns false when the changed message has not arrived. */
  const entregar = async ({ novidade, mensagem, alteracao, chegouEm }: Aberta): Promise<boolean> => {
    if (novidade?.tipo === 'status') await status(novidade)
    else if (alteracao !== null) {
      const haMs = Date.now() - chegouEm.getTime()
      return naVezDe(alteracao.alteracao.endereco, () => insistir(() => alterar(alteracao, haMs)))
    } else if (mensagem !== null) await naVezDe(mensagem.recebida.endereco, () => receber(mensagem))
    return true
  }

  /** Id of an entry that waited too long and must be dropped, or null. */
  const esperar = ({ id, alteracao, chegouEm }: Aberta): string | null =>
    alteracao === null || fechada ? null : espera.esperar(id, alteracao.alteracao.alvo, Date.now() - chegouEm.getTime())

  const receber = async (mensagem: MensagemDaMeta): Promise<void> => {
    const recebida = await comArquivo(mensagem)
    await insistir(async () => {
      // Meta sends only the id of the quoted message, not its text.
      const citada = mensagem.citada === undefined ? null : await host.citada(recebida, mensagem.citada)
      if (fechada) throw new Error('session closed')
      await host.receber(citada === null ? recebida : { ...recebida, citada })
    })
    if (espera.chegou(recebida.id)) void chegou()
  }

  /** Serialises messages per contato, because a file takes time and later messages of the same contato must wait. */
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
    registrar(erro, 'webhook entry not delivered, retrying')
    nova ??= setTimeout(() => {
      nova = undefined
      adiadas.clear()
      void chegou()
    }, ESPERA_MS)
  }

  const chegou = async (): Promise<void> => {
    // A call during a read may concern entries that this read does not contain, so it reads again.
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
  readonly mensagem: MensagemDaMeta | null
  readonly alteracao: AlteracaoDaMeta | null
  readonly chegouEm: Date
  /** Meta's webhooks arrive in any order, so waiting entries are sorted by this time. */
  readonly em: number
}

function abrir({ id, valor, chegouEm: instante }: ChegadaOficial): Aberta {
  // Rounded to seconds like Meta's timestamps; entries of one second keep the order of the journal.
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
