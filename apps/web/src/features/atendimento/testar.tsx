import type { Setor } from '@balcao/contract/entities/config'
import { testeConversaRoute } from '@balcao/contract/routes/atendimento'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { Menu } from '#shared/ui/menu.tsx'

const TEST_SETORES = ['vendas', 'suporte', 'financeiro']

const REFETCH_AFTER_TEST_MS = 1_000

async function createTestConversa(cliente: QueryClient, { id, nome }: Setor): Promise<void> {
  try {
    await call(testeConversaRoute, { body: { setor: id } })
    notify.sucesso(`Conversa de teste criada no setor ${nome}!`)
    setTimeout(() => void cliente.invalidateQueries({ queryKey: QUERY_KEYS.conversas }), REFETCH_AFTER_TEST_MS)
  } catch (error) {
    notify.erro(`Erro ao criar conversa de teste: ${errorMessage(error)}`)
  }
}

/** Creates a test conversa in one of three setores, without cost to the daily limit. */
export function TestConversa({ setores }: { setores: readonly Setor[] }) {
  const cliente = useQueryClient()
  const itens = setores.filter(({ id }) => TEST_SETORES.includes(id))
  if (itens.length === 0) return null
  return (
    <Menu
      label="Testar conversa"
      button={
        <>
          <FlaskConical size={18} aria-hidden /> <span className="max-sm:sr-only">Testar</span>
        </>
      }
      items={itens.map((setor) => ({ label: setor.nome, run: () => void createTestConversa(cliente, setor) }))}
      className="btn btn-ghost min-h-11 flex-none px-3"
    />
  )
}
