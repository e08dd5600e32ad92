import { type ConversaReader, mayReadSetor, readerOf } from '@balcao/contract/conversa-access'
import type { Setor } from '@balcao/contract/entities/config'
import { testeConversaRoute } from '@balcao/contract/routes/atendimento-conversa'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useUsuario } from '#shared/session.tsx'
import { Menu, type MenuItem } from '#shared/ui/menu.tsx'

const TEST_SETORES = { vendas: 'Vendas', suporte: 'Suporte', financeiro: 'Financeiro' } as const
const REFETCH_AFTER_TEST_MS = 1_000

async function createTestConversa(client: QueryClient, { id, nome }: Pick<Setor, 'id' | 'nome'>): Promise<void> {
  try {
    await call(testeConversaRoute, { body: { setor: id } })
    notify.sucesso(`Conversa de teste criada no setor ${nome}!`)
    setTimeout(() => void client.invalidateQueries({ queryKey: QUERY_KEYS.conversas }), REFETCH_AFTER_TEST_MS)
  } catch (error) {
    notify.erro(`Erro ao criar conversa de teste: ${errorMessage(error)}`)
  }
}

function refusalOf(reader: ConversaReader, setor: Setor | undefined): string | undefined {
  if (setor === undefined) return 'Este setor foi removido.'
  return mayReadSetor(reader, setor.id) ? undefined : 'Você não atende este setor.'
}

/**
 * Returns the three test setores of the specification under their current names. A removed or unreadable setor stays,
 * with the reason.
 */
function useTestChoices(setores: readonly Setor[]): readonly (MenuItem & { readonly id: string })[] {
  const client = useQueryClient()
  const reader = readerOf(useUsuario())
  // An empty list means not loaded, because Geral always exists.
  if (setores.length === 0) return []
  return Object.entries(TEST_SETORES).map(([id, original]) => {
    const setor = setores.find((other) => other.id === id)
    const { nome } = setor ?? { nome: original }
    return {
      id,
      label: nome,
      refusal: refusalOf(reader, setor),
      run: () => void createTestConversa(client, { id, nome }),
    }
  })
}

interface TestProps {
  readonly setores: readonly Setor[]
}

/** Apart from the acts on customers: from 1280 px on three buttons with a title, below one menu. */
export function TestButtons({ setores }: TestProps) {
  const items = useTestChoices(setores)
  const wide = useMediaQuery('(min-width: 80rem)')
  if (items.length === 0) return null
  if (!wide) {
    return (
      <Menu
        label="Testes"
        button={
          <>
            <FlaskConical size={18} aria-hidden /> <span className="max-sm:sr-only">Testes</span>
          </>
        }
        items={items}
        className="btn btn-ghost btn-touch flex-none px-3"
      />
    )
  }
  return (
    <div role="group" aria-label="Testar conversa" className="flex items-center rounded-lg border border-dashed">
      <span aria-hidden className="pl-2 text-xs text-muted">
        Testar
      </span>
      {items.map(({ id, label, refusal, run }) => (
        <button
          key={id}
          type="button"
          aria-disabled={refusal !== undefined}
          title={refusal ?? `Criar uma conversa de teste em ${label}`}
          className="min-h-8 truncate px-2 text-xs font-semibold text-muted hover:text-ink"
          onClick={refusal === undefined ? run : undefined}
        >
          {refusal === undefined ? label : <s>{label}</s>}
          {refusal !== undefined && <span className="sr-only"> {refusal}</span>}
        </button>
      ))}
    </div>
  )
}

export function TestMenu({ setores }: TestProps) {
  const items = useTestChoices(setores)
  if (items.length === 0) return null
  return (
    <Menu
      label="Testar conversa"
      button={
        <>
          <FlaskConical size={18} aria-hidden /> Testar
        </>
      }
      items={items}
      className="btn btn-ghost btn-touch flex-none px-3"
    />
  )
}
