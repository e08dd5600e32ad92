import { mayReadSetor } from '@balcao/contract/conversa-access'
import { setoresRoute } from '@balcao/contract/routes/atendimento-resumo'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { useAtendentes } from '#shared/conta/atendentes.ts'
import { useUsuario } from '#shared/session.tsx'

/** Read again with each dialog, because people come online and leave. */
const PEOPLE_KEY = ['atendimento', 'setores-pessoas'] as const

/** Returns the sentence that warns before a transfer to a setor. Null: a person of it is online, or it is unknown. */
export function useSetorWarning(): (setorId: string) => string | null {
  const { id: myId, tipo } = useUsuario()
  const people = useAtendentes()
  const { data: setores = [] } = useQuery({
    queryKey: PEOPLE_KEY,
    queryFn: async ({ signal }) => (await call(setoresRoute, { signal })).setores,
    staleTime: 0,
    gcTime: 0,
  })
  return (setorId) => {
    const { pessoas, online } = setores.find(({ id }) => id === setorId) ?? {}
    if (pessoas === undefined || online === undefined) return null
    if (pessoas === 0) return 'Ninguém atende este setor.'
    const others = people.filter((person) => person.id !== myId && mayReadSetor(person, setorId))
    if (tipo !== 'operador' && others.length === 0) return 'Só você atende este setor.'
    return online === 0 ? 'Ninguém deste setor está online agora.' : null
  }
}
