import { PREFERENCIAS_PUSH_PADRAO, type PreferenciasPush, preferenciasPushSchema } from '@balcao/contract/entities/push'
import type { BodyOf } from '@balcao/contract/define-route'
import type { salvarPreferenciasPushRoute } from '@balcao/contract/routes/push'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { LoginSession } from '#http/authentication.ts'

type Person = Pick<LoginSession, 'contaId' | 'usuarioId'>

export function readPushPreferences({ db }: Pick<Deps, 'db'>, person: Person): Promise<PreferenciasPush> {
  return db.read(person.contaId, (tx) => findPreferences(tx, person))
}

async function findPreferences(tx: Tx, { contaId, usuarioId }: Person): Promise<PreferenciasPush> {
  const row = await tx.kysely
    .selectFrom('pushPreferencias')
    .select(['filaDosMeusSetores', 'minhasConversas', 'mencoes', 'botDesconectado', 'mostrarNome'])
    .where('contaId', '=', contaId)
    .where('usuarioId', '=', usuarioId)
    .executeTakeFirst()
  return row === undefined ? PREFERENCIAS_PUSH_PADRAO : preferenciasPushSchema.parse(row)
}

/** Absent fields keep their values. Returns the preferences after the change. */
export function savePushPreferences(
  { db }: Pick<Deps, 'db'>,
  person: Person,
  changed: BodyOf<typeof salvarPreferenciasPushRoute>,
): Promise<PreferenciasPush> {
  const { contaId, usuarioId } = person
  return db.transaction(contaId, async (tx) => {
    const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined))
    const update = { contaId, ...given }
    await tx.kysely
      .insertInto('pushPreferencias')
      .values({ usuarioId, ...update })
      .onConflict((conflict) => conflict.columns(['contaId', 'usuarioId']).doUpdateSet(update))
      .execute()
    return findPreferences(tx, person)
  })
}
