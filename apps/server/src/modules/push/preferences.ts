import { PREFERENCIAS_PUSH_PADRAO, type PreferenciasPush, preferenciasPushSchema } from '@balcao/contract/entities/push'
import type { BodyOf } from '@balcao/contract/define-route'
import type { salvarPreferenciasPushRoute } from '@balcao/contract/routes/push'
import { changes, contaId, sql, value } from '#db/statement/sql.ts'
import { noRows, oneRow } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import type { LoginSession } from '#http/authentication.ts'

type Person = Pick<LoginSession, 'contaId' | 'usuarioId'>

const usuarioId = value('usuarioId', 'uuid')
const PREFERENCES = sql`fila_dos_meus_setores, minhas_conversas, mencoes, bot_desconectado, mostrar_nome`

const findPreferences = oneRow(
  'push: find preferences',
  preferenciasPushSchema,
  sql`select ${PREFERENCES} from push_preferencias where conta_id = ${contaId} and usuario_id = ${usuarioId}`,
)

const ensurePreferences = noRows(
  'push: ensure preferences',
  sql`insert into push_preferencias (conta_id, usuario_id) values (${contaId}, ${usuarioId}) on conflict do nothing`,
)

const updatePreferences = oneRow(
  'push: update preferences',
  preferenciasPushSchema,
  sql`update push_preferencias set ${changes('fields', {
    filaDosMeusSetores: 'bool',
    minhasConversas: 'bool',
    mencoes: 'bool',
    botDesconectado: 'bool',
    mostrarNome: 'bool',
  })} where conta_id = ${contaId} and usuario_id = ${usuarioId} returning ${PREFERENCES}`,
)

export async function readPushPreferences({ db }: Pick<Deps, 'db'>, person: Person): Promise<PreferenciasPush> {
  return (await db.read(person.contaId, (tx) => findPreferences(tx, person))) ?? PREFERENCIAS_PUSH_PADRAO
}

export function savePushPreferences(
  { db }: Pick<Deps, 'db'>,
  person: Person,
  fields: BodyOf<typeof salvarPreferenciasPushRoute>,
): Promise<PreferenciasPush> {
  return db.transaction(person.contaId, async (tx) => {
    await ensurePreferences(tx, person)
    return (await updatePreferences(tx, { ...person, fields })) ?? PREFERENCIAS_PUSH_PADRAO
  })
}
