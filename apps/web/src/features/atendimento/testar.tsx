import type { Setor } from '@balcao/contract/entities/config'
import { testeConversaRoute } from '@balcao/contract/routes/atendimento'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { CHAVES } from '#shared/dados/chaves.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { Menu } from '#shared/ui/menu.tsx'

const TESTAVEIS = ['vendas', 'suporte', 'financeiro']

const LISTA_APOS_TESTE_MS = 1_000

async function testar(cliente: QueryClient, { id, nome }: Setor): Promise<void> {
  try {
    await call(testeConversaRoute, { body: { setor: id } })
    avisar.sucesso(`Conversa de teste criada no setor ${nome}!`)
    setTimeout(() => void cliente.invalidateQueries({ queryKey: CHAVES.conversas }), LISTA_APOS_TESTE_MS)
  } catch (erro) {
    avisar.erro(`Erro ao criar conversa de teste: ${mensagemDe(erro)}`)
  }
}

/** Creates a test conversa in one of three setores, without cost to the daily limit. */
export function Testar({ setores }: { setores: readonly Setor[] }) {
  const cliente = useQueryClient()
  const itens = setores.filter(({ id }) => TESTAVEIS.includes(id))
  if (itens.length === 0) return null
  return (
    <Menu
      rotulo="Testar conversa"
      botao={
        <>
          <FlaskConical size={18} aria-hidden /> <span className="max-sm:sr-only">Testar</span>
        </>
      }
      itens={itens.map((setor) => ({ rotulo: setor.nome, fazer: () => void testar(cliente, setor) }))}
      className="btn btn-ghost min-h-11 flex-none px-3"
    />
  )
}
