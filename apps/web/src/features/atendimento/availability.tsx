import { disponibilidadeRoute, mudarDisponibilidadeRoute } from '@balcao/contract/routes/disponibilidade'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { UserCheck, UserX } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'

export const AVAILABILITY_QUERY = queryOptions({
  queryKey: ['disponibilidade'],
  queryFn: ({ signal }) => call(disponibilidadeRoute, { signal }),
  networkMode: 'always',
})

export function AvailabilitySwitch() {
  const client = useQueryClient()
  const [saving, setSaving] = useState(false)
  const { data } = useQuery(AVAILABILITY_QUERY)
  if (data?.automatica !== true) return null
  const { disponivel } = data
  const change = async (): Promise<void> => {
    if (saving) return
    setSaving(true)
    try {
      const body = { disponivel: !disponivel }
      await call(mudarDisponibilidadeRoute, { body })
      client.setQueryData(AVAILABILITY_QUERY.queryKey, { ...data, ...body })
      notify.sucesso(
        body.disponivel
          ? 'Você está disponível e recebe conversas.'
          : 'Você está ausente e não recebe conversas novas.',
      )
    } catch (error) {
      notify.erro(`Erro ao mudar a disponibilidade: ${errorMessage(error)}`)
    } finally {
      setSaving(false)
    }
  }
  const Icon = disponivel ? UserCheck : UserX
  const words = disponivel ? 'Disponível' : 'Ausente'
  return (
    <Button
      variant="ghost"
      size="touch"
      role="switch"
      aria-checked={disponivel}
      aria-busy={saving}
      data-tip={words}
      className="tip max-xl:w-11 max-xl:px-0 xl:after:hidden"
      onClick={() => void change()}
    >
      <Icon size={18} aria-hidden className={disponivel ? 'text-brand' : 'text-muted'} />
      <span className="max-xl:sr-only">{words}</span>
    </Button>
  )
}
