import { setTimeout as dormir } from 'node:timers/promises'
import type { WAMessage } from 'baileys'
import type { Alteracao, Anfitriao, Chegada, Midia, Pessoa, Recebida } from './anfitriao.ts'
import { ausenteEm, lerAusente } from './ausentes.ts'
import type { Armazem } from './armazem.ts'
import { abrirChegada, ehAlteracao, type Eu, lerLigacao, type NumeroDoLid, toRecebida } from './mensagem.ts'
import { baixarMidia } from './midia.ts'
import type { NaoLidas } from './nao-lidas.ts'
import type { Registrar } from './registro.ts'

/** Carries what arrived to the host, in order, and forgets it only when the host has it for good. */
export interface Entrada {
  /** A message is in the journal. */
  readonly chegou: (chegada: Chegada) => void
  /** The library tells of a message; those of the journal are known already. */
  readonly contada: (mensagem: WAMessage) => void
  /** Takes up what an earlier process, or an earlier failure, left in the journal. */
  readonly recuperar: () => Promise<void>
  readonly fechar: () => void
}

export interface EntradaOptions {
  readonly host: Pick<Anfitriao, 'chaves' | 'receber' | 'alterar' | 'citada' | 'guardarMidia'>
  readonly armazem: Armazem
  readonly lidas: Pick<NaoLidas, 'chegou'>
  readonly eu: () => Eu
  readonly numeroDoLid: NumeroDoLid
  /** What of the journal is not over: a call that rings, a message whose words may still come. */
  readonly andando: (chegada: Chegada) => boolean
  /** The words of this message are here. */
  readonly apareceu: (id: string) => void
  /** They are not, and may still come. */
  readonly falta: (id: string) => boolean
  readonly idExternoDe: (id: string) => Promise<string>
  readonly registrar: Registrar
  /** How long to wait before what failed is tried again. */
  readonly esperaMs?: number
}

const ESPERA_MS = 2_000
/** After so many, what the same person said next no longer waits for it. */
const TENTATIVAS = 30
const LEMBRADAS = 2_000

export function createEntrada({
  host,
  armazem,
  lidas,
  eu,
  numeroDoLid,
  andando,
  apareceu,
  falta,
  idExternoDe,
  registrar,
  esperaMs = ESPERA_MS,
}: EntradaOptions): Entrada {
  const emAndamento = new Set<string>()
  const doDiario = new Set<string>()
  const pessoas = new Map<string, Promise<unknown>>()
  let fila: Promise<void> = Promise.resolve()
  let fechada = false
  let nova: NodeJS.Timeout | undefined
  const { promise: acabou, resolve: acabar } = Promise.withResolvers<void>()

  /** A store that fails comes back: until then what comes next waits, or it would pass in front. */
  const insistir = async <T>(passo: () => Promise<T>): Promise<T> => {
    for (let vez = 1; ; vez += 1) {
      try {
        return await passo()
      } catch (erro) {
        if (fechada || vez >= TENTATIVAS) throw erro
        registrar(erro, 'a step of a message failed; trying again')
        await Promise.race([dormir(esperaMs, undefined, { ref: false }), acabou])
      }
    }
  }
  const numeroDe: NumeroDoLid = (lid) =>
    insistir(() => numeroDoLid(lid)).catch((erro: unknown) => {
      depois(erro)
      throw erro
    })

  /** Conversions keep their order; what the host does with the messages of different people runs side by side. */
  const naOrdem = (passo: () => Promise<void>): void => {
    fila = fila.then(passo).catch((erro: unknown) => registrar(erro, 'a message could not be read'))
  }

  /** Resolves once the host has begun; `feito` runs once it has the message for good, `fim` in any case. */
  const entregar = async (mensagem: WAMessage, feito: () => Promise<void>, fim: () => void): Promise<void> => {
    const recebida = await toRecebida(mensagem, eu(), numeroDe)
    if (fechada) return fim()
    if (recebida?.deMim === false && !ehAlteracao(recebida)) lidas.chegou(recebida.endereco, mensagem.key)
    levar(recebida, mensagem.message, feito, fim)
  }

  const levar = (
    recebida: Recebida | Alteracao | null,
    conteudo: WAMessage['message'],
    feito: () => Promise<void>,
    fim: () => void,
  ): void => {
    const entregue =
      recebida === null
        ? feito()
        : naVezDe(recebida, () => receber(conteudo, recebida)).then((tem) => (tem ? feito() : retomar()))
    // Not awaited: the next message of somebody else need not wait for this one.
    void entregue.catch(depois).finally(fim)
  }

  /** A file takes its time; what the same person writes after it, by whichever address, waits for it. */
  const naVezDe = <T>({ endereco, telefone }: Pessoa, passo: () => Promise<T>): Promise<T> => {
    const quem = telefone === '' ? endereco : telefone
    const anterior = pessoas.get(quem)
    const feito = anterior === undefined ? passo() : anterior.then(passo, passo)
    pessoas.set(quem, feito)
    const sair = (): void => {
      if (pessoas.get(quem) === feito) pessoas.delete(quem)
    }
    feito.then(sair, sair)
    return feito
  }

  /** False when the host does not have it, and may later: it stays in the journal. */
  const receber = async (message: WAMessage['message'], recebida: Recebida | Alteracao): Promise<boolean> => {
    if (!ehAlteracao(recebida)) {
      await receberMensagem(message, recebida)
      return true
    }
    const { alvo } = recebida
    const faltava = falta(alvo)
    const mudou = await insistir(async () => host.alterar({ ...recebida, alvo: await idExternoDe(alvo) }))
    return mudou || !faltava
  }

  const receberMensagem = async (message: WAMessage['message'], recebida: Recebida): Promise<void> => {
    const ausente = ausenteEm(recebida.id)
    // An earlier process had read it: it came again because the server did not hear of that.
    if (ausente !== null && (await insistir(() => host.citada(recebida, ausente))) !== null) return
    if (recebida.midia === undefined) return insistir(() => host.receber(recebida))
    const guardada = await guardar(message).catch((erro: unknown) => registrar(erro, 'a file could not be kept'))
    const midia = guardada ?? recebida.midia
    // What is over does not have it for good: whoever comes next finds it in the journal.
    if (fechada) throw new Error('the session is over')
    await insistir(() => host.receber({ ...recebida, midia }))
  }

  const guardar = async (mensagem: WAMessage['message']): Promise<Midia | undefined> => {
    const arquivo = await baixarMidia(mensagem, armazem)
    return arquivo === null ? undefined : host.guardarMidia(arquivo.bytes, arquivo.nome)
  }

  const depois = (erro: unknown): void => {
    if (fechada) return
    registrar(erro, 'a message could not be handed over; trying again')
    retomar()
  }

  /** What is left in the journal is taken up again after a while. */
  const retomar = (): void => {
    if (fechada) return
    nova ??= setTimeout(() => {
      nova = undefined
      void recuperar()
    }, esperaMs)
  }

  const chegou = (chegada: Chegada): void => {
    const { id } = chegada
    if (fechada || emAndamento.has(id)) return
    emAndamento.add(id)
    const fim = (): void => void emAndamento.delete(id)
    const feito = (): Promise<void> => host.chaves.concluir(id)
    const abrir = async (): Promise<void> => {
      const avulsa = (await lerLigacao(chegada, numeroDe)) ?? (await lerAusente(chegada, eu(), numeroDe))
      if (avulsa !== null) return fechada ? fim() : levar(avulsa, null, feito, fim)
      const mensagem = abrirChegada(chegada, eu())
      lembrar(mensagem.key.id ?? '')
      apareceu(mensagem.key.id ?? '')
      await entregar(mensagem, feito, fim)
    }
    naOrdem(() =>
      abrir().catch((erro: unknown) => {
        // It stays in the journal, for the next time that is read.
        fim()
        throw erro
      }),
    )
  }

  const lembrar = (id: string): void => {
    doDiario.add(id)
    if (doDiario.size > LEMBRADAS) doDiario.delete(doDiario.keys().next().value ?? '')
  }

  const recuperar = async (): Promise<void> => {
    try {
      for (const chegada of await host.chaves.chegadas()) {
        if (!emAndamento.has(chegada.id) && !andando(chegada)) chegou(chegada)
      }
    } catch (erro) {
      depois(erro)
    }
  }

  return {
    chegou,
    contada: (mensagem) => {
      // A stub is what could not be decrypted: the sender was asked for it again.
      if (fechada || !mensagem.message) return
      // Behind what the journal has: only then it is known to be there.
      naOrdem(async () => {
        const { id } = mensagem.key
        // Until the host has it, that it is missing is all that is on record.
        const feito = async (): Promise<void> => apareceu(id ?? '')
        if (doDiario.has(id ?? '')) return feito()
        await entregar(mensagem, feito, () => {})
      })
    },
    recuperar,
    fechar: () => {
      fechada = true
      clearTimeout(nova)
      acabar()
    },
  }
}
