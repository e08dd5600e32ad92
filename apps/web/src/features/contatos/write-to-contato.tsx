import type { Contato } from '@balcao/contract/entities/contato'
import { useNavigate } from '@tanstack/react-router'
import { WriteDialog } from '#shared/write/write-dialog.tsx'

interface WriteToContatoProps {
  readonly contato: Contato
  readonly onClose: () => void
}

export function WriteToContato({ contato, onClose }: WriteToContatoProps) {
  const navigate = useNavigate()
  const show = (c: string): void => void navigate({ to: '/dashboard', search: { aba: 'atendimento', c } })
  return <WriteDialog {...{ contato, onClose }} setores={[]} onOpened={({ id }) => show(id)} onShow={show} />
}
