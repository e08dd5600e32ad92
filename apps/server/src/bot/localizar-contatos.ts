import type { Tx } from '#db/transaction.ts'
import { chaveDoEndereco, garantirContatos, type NovoContato } from './contatos.ts'
import type { Contexto } from './contextos.ts'
import { Lru } from './lru.ts'
import type { TurnoBot } from './turno.ts'

const CONTATOS_LEMBRADOS = 200_000

export interface Pronto {
  readonly turno: TurnoBot
  readonly contexto: Contexto
}

export interface Item extends Pronto {
  readonly contatoId: string
}

export interface Localizados {
  /** One per contato, in lock order. */
  readonly itens: readonly Item[]
  /** Turns whose contato is already in the batch. They must run after that turn's commit. */
  readonly adiados: readonly TurnoBot[]
}

export interface Localizador {
  readonly localizar: (tx: Tx, prontos: readonly Pronto[]) => Promise<Localizados>
  readonly esquecer: (chave: string) => void
}

export function createLocalizador({ uuid }: { readonly uuid: () => string }): Localizador {
  const lembrados = new Lru<string>(CONTATOS_LEMBRADOS)

  const acharOuCriar = async (tx: Tx, prontos: readonly Pronto[]): Promise<Map<string, string>> => {
    const achados = new Map<string, string>()
    let faltam = prontos
      .flatMap((pronto) => toNovoContato(pronto, uuid))
      .filter((novo) => lembrados.get(chaveDe(novo)) === undefined)
      .toSorted((a, b) => (chaveDe(a) < chaveDe(b) ? -1 : 1))
    for (let vez = 0; faltam.length > 0 && vez < 3; vez += 1) {
      for (const [chave, id] of await garantirContatos(tx, faltam)) achados.set(chave, id)
      faltam = faltam.filter((novo) => !achados.has(chaveDe(novo)))
    }
    return achados
  }

  return {
    localizar: async (tx, prontos) => {
      const achados = await acharOuCriar(tx, prontos)
      tx.afterCommit(() => achados.forEach((id, chave) => lembrados.set(chave, id)))
      return separar(prontos, (chave) => lembrados.get(chave) ?? achados.get(chave))
    },
    esquecer: (chave) => lembrados.delete(chave),
  }
}

function toNovoContato({ turno }: Pronto, uuid: () => string): NovoContato[] {
  if (turno.tipo === 'evento') return []
  const { mensagem, contaId, canonico } = turno
  const telefone = canonico.startsWith('tel:') ? canonico.slice(4) : ''
  const nome = mensagem.deMim === true ? '' : mensagem.nome
  return [{ contaId, canonico, id: uuid(), nome, telefone, endereco: mensagem.endereco }]
}

function chaveDe({ contaId, canonico }: NovoContato): string {
  return chaveDoEndereco(contaId, canonico)
}

function separar(prontos: readonly Pronto[], contatoDe: (chave: string) => string | undefined): Localizados {
  const itens = new Map<string, Item>()
  const adiados: TurnoBot[] = []
  for (const { turno, contexto } of prontos) {
    const contatoId = turno.tipo === 'evento' ? turno.contatoId : contatoDe(turno.chave)
    if (contatoId === undefined) throw new Error('contato not created')
    // Two addresses of one contato: the second turn must read the state written by the first.
    if (itens.has(contatoId)) adiados.push(turno)
    else itens.set(contatoId, { turno, contexto, contatoId })
  }
  return { itens: [...itens.values()].toSorted(porConta), adiados }
}

function porConta(a: Item, b: Item): number {
  const x = a.contexto.contaId + a.contatoId
  const y = b.contexto.contaId + b.contatoId
  return x < y ? -1 : x > y ? 1 : 0
}
