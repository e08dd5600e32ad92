import { setTimeout as dormir } from 'node:timers/promises'
import type { Alteracao, Chegada, SessionHost } from '#ports/messaging.ts'
import type { DiarioOficial } from '#ports/oficial.ts'
import { lerAlteracao } from './alteracao.ts'
import { type Novidade, novidadeSchema } from './aviso.ts'
import { lerMensagem, type MensagemDaMeta } from './conteudo.ts'

/** Carries what the webhook brought to the bot, in order for each customer, and forgets it once the bot has it for good. */
export interface Entrada {
  /** Something is in the journal. Resolves once everything that was there has been handed over. */
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
  const emAndamento = new Map<string, Promise<void>>()
  /** What could not be handed over just now. */
  const adiadas = new Set<string>()
  const pessoas = new Map<string, Promise<void>>()
  let lendo: Promise<void> | null = null
  let denovo = false
  let fechada = false
  let nova: NodeJS.Timeout | undefined
  const { promise: acabou, resolve: acabar } = Promise.withResolvers<void>()

  /** A store that fails comes back: until then what the same person says next waits, or it would pass in front. */
  const insistir = async (passo: () => Promise<void>): Promise<void> => {
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
      const chegadas = await diario.chegadas(contaId, [...emAndamento.keys(), ...adiadas])
      const lidas = chegadas.map(abrir).toSorted((a, b) => a.em - b.em)
      for (const lida of lidas) comecar(lida)
      // A full page: there may be more.
      if (chegadas.length > 0) denovo = true
    } while (continuar())
  }
  const continuar = (): boolean => denovo && !fechada

  const comecar = ({ id, ...lida }: Aberta): void => {
    const feito = entregar(lida)
      .then(() => diario.concluir(contaId, [id]))
      .catch((erro: unknown) => {
        adiadas.add(id)
        depois(erro)
      })
      .finally(() => void emAndamento.delete(id))
    emAndamento.set(id, feito)
  }

  const entregar = ({ novidade, mensagem, alteracao }: Omit<Aberta, 'id'>): Promise<void> => {
    if (novidade?.tipo === 'status') return status(novidade)
    if (alteracao !== null) return naVezDe(alteracao.endereco, () => insistir(() => host.alterar(alteracao)))
    return mensagem === null ? Promise.resolve() : naVezDe(mensagem.recebida.endereco, () => receber(mensagem))
  }

  const receber = async (mensagem: MensagemDaMeta): Promise<void> => {
    const recebida = await comArquivo(mensagem)
    await insistir(async () => {
      // Meta names what is quoted and does not say what it said.
      const citada = mensagem.citada === undefined ? null : await host.citada(recebida, mensagem.citada)
      if (fechada) throw new Error('the session is over')
      await host.receber(citada === null ? recebida : { ...recebida, citada })
    })
  }

  /** A file takes its time; what the same person writes after it waits for it, and nobody else does. */
  const naVezDe = (endereco: string, passo: () => Promise<void>): Promise<void> => {
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
    await Promise.all(emAndamento.values())
  }

  return {
    chegou,
    fechar: () => {
      fechada = true
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
  readonly alteracao: Alteracao | null
  /** Meta brings them in any order: those that wait together go by the time they were sent. */
  readonly em: number
}

function abrir({ id, valor }: Chegada): Aberta {
  const lida = novidadeSchema.safeParse(JSON.parse(valor))
  const novidade = lida.success ? lida.data : null
  const deles = novidade?.tipo === 'mensagem' ? novidade : null
  const mensagem = deles === null ? null : lerMensagem(deles.mensagem, deles)
  const alteracao = deles === null ? null : lerAlteracao(deles.mensagem, deles)
  return {
    id,
    novidade,
    mensagem,
    alteracao: alteracao?.alteracao ?? null,
    em: (mensagem?.recebida.enviadaEm ?? alteracao?.em)?.getTime() ?? 0,
  }
}
