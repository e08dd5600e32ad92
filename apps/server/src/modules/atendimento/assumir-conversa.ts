import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Sessao } from '#http/authentication.ts'
import { type Alvo, type Mudanca, type MudarDeps, mudarConversa } from './mudar-conversa.ts'
import { takeConversa } from './repository.ts'

export interface Operador {
  readonly id: string
  readonly nome: string
}

/** The first operador wins. Taking an own conversa again succeeds. */
export function assumirConversa(deps: MudarDeps, sessao: Sessao, id: string): Promise<Conversa> {
  const alvo = { contaId: sessao.contaId, id }
  const mudanca = tomada(deps, alvo, { id: sessao.usuarioId, nome: sessao.nome })
  return deps.db.transaction(alvo.contaId, (tx) => mudarConversa(tx, deps, alvo, mudanca))
}

export function tomada(
  { clock, realtime }: Pick<MudarDeps, 'clock' | 'realtime'>,
  { contaId, id }: Alvo,
  { id: operadorId, nome: operador }: Operador,
): Mudanca {
  return {
    evento: (base) => ({ tipo: 'atendenteAssumiu', ...base }),
    gravar: (tx) => takeConversa(tx, contaId, { id, operadorId, operador, em: clock.now() }),
    publicar: () =>
      realtime.publish(contaId, 'conversaAssumida', { userId: contaId, conversaId: id, operadorId, operador }),
  }
}
