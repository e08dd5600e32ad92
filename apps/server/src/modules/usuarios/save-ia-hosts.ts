import type { HostsIa } from '@balcao/contract/entities/provedor-ia'
import { sql, value } from '#db/statement/sql.ts'
import { noRows } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { readIaHosts } from '#modules/configuracao/index.ts'

const updateHosts = noRows(
  'usuarios: update hosts of the AI',
  sql`update configuracoes_admin set ia_hosts = ${value('hosts', 'jsonb')}`,
)

/** Replaces the hosts that accounts may choose as their own provider of the AI. */
export async function saveIaHosts(
  { db, ...deps }: Pick<Deps, 'db' | 'ids' | 'clock'>,
  actor: RequestSession,
  { hosts: sent }: HostsIa,
): Promise<HostsIa> {
  const hosts = [...new Set(sent)]
  return db.transaction('*', async (tx) => {
    const before = await readIaHosts(tx)
    await updateHosts(tx, { hosts })
    const [added, removed] = [
      hosts.filter((host) => !before.includes(host)),
      before.filter((host) => !hosts.includes(host)),
    ]
    const changes = [...added.map((host) => `+ ${host}`), ...removed.map((host) => `- ${host}`)]
    if (changes.length > 0) {
      await recordAuditoria(tx, deps, { acao: 'hostsIaAlterados', quem: actor, detalhe: changes.join(', ') })
    }
    return { hosts }
  })
}
