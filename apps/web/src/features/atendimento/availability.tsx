import { disponibilidadeRoute, mudarDisponibilidadeRoute } from '@balcao/contract/routes/disponibilidade'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { UserCheck, UserX } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { IconButton } from '#shared/ui/icon-button.tsx'

const KEY = ['disponibilidade']

/** Whether this person gets conversas. Hidden while people take conversas themselves. */
export function AvailabilitySwitch() {
  const client = useQueryClient()
  const [saving, setSaving] = useState(false)
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(disponibilidadeRoute, { signal }),
    networkMode: 'always',
  })
  if (data?.automatica !== true) return null
  const { disponivel } = data
  const change = async (): Promise<void> => {
    if (saving) return
    setSaving(true)
    try {
      const body = { disponivel: !disponivel }
      await call(mudarDisponibilidadeRoute, { body })
      client.setQueryData(KEY, { ...data, ...body })
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
  return (
    <IconButton
      label={disponivel ? 'Disponível' : 'Ausente'}
      role="switch"
      aria-checked={disponivel}
      aria-busy={saving}
      size="touch"
      icon={disponivel ? <UserCheck size={18} aria-hidden className="text-brand" /> : <UserX size={18} aria-hidden />}
      onClick={() => void change()}
    />
  )
}
