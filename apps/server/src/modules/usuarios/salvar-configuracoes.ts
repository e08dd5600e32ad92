import type { AdminConfiguracoes } from '@balcao/contract/entities/admin'
import type { Deps } from '#deps.ts'

/** For everybody who comes from now on; who is here keeps the limits they have. */
export async function salvarConfiguracoes(
  { db }: Pick<Deps, 'db'>,
  configuracoes: AdminConfiguracoes,
): Promise<AdminConfiguracoes> {
  await db.transaction('*', (tx) => tx.kysely.updateTable('configuracoesAdmin').set(configuracoes).execute())
  return configuracoes
}
