import { versaoWhatsappSchema, type WhatsappSettings } from '@balcao/contract/entities/whatsapp'
import { salvarWhatsappRoute, whatsappRoute } from '@balcao/contract/routes/admin-whatsapp'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { formatDateTime } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { attempt } from '#features/admin/usuarios/usuario-actions.ts'
import { FoldedCard } from './folded-card.tsx'

const VERSION_KEY = ['admin', 'whatsapp'] as const
/** The server tests the version on one session before it answers. */
const TEST_MS = 45_000
const OWN = 'a do próprio sistema'

/** The protocol version of WhatsApp Web, for the days on which WhatsApp refuses the system's own. */
export function VersionCard() {
  return (
    <FoldedCard
      heading="Versão do WhatsApp"
      text="Mude só se o WhatsApp recusar a versão do sistema. Uma sessão parada testa a versão nova. As outras só mudam se ela conectar."
    >
      <LoadedVersion />
    </FoldedCard>
  )
}

function LoadedVersion() {
  const query = useQuery({
    queryKey: VERSION_KEY,
    queryFn: ({ signal }): Promise<WhatsappSettings> => call(whatsappRoute, { signal }),
  })
  return (
    <QueryState query={query} skeleton={<Skeleton className="h-20 w-full" />}>
      {(stored) => <VersionForm stored={stored} />}
    </QueryState>
  )
}

function useVersionForm({ versao }: WhatsappSettings) {
  const client = useQueryClient()
  const [typed, setTyped] = useState(versao ?? '')
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (wanted: string | null) => call(salvarWhatsappRoute, { body: { versao: wanted }, timeoutMs: TEST_MS }),
    onSettled: () => client.invalidateQueries({ queryKey: VERSION_KEY }),
  })
  const wanted = typed.trim() === '' ? null : typed.trim()
  const checked = versaoWhatsappSchema.safeParse(wanted)
  const problem = wanted === null || checked.success ? undefined : checked.error.issues[0]?.message
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (problem !== undefined || isPending) return
    void attempt('Erro ao mudar a versão', async () => {
      await mutateAsync(wanted)
      notify.sucesso('Versão aceita. As sessões usam a nova na próxima conexão.')
    })
  }
  return { typed, setTyped, problem, submit, testing: isPending, changed: wanted !== versao }
}

function VersionForm({ stored }: { stored: WhatsappSettings }) {
  const { typed, setTyped, problem, submit, testing, changed } = useVersionForm(stored)
  const { versao, recusada } = stored
  return (
    <form noValidate className="grid gap-3" onSubmit={submit}>
      <p className="text-sm">Em uso: {versao ?? OWN}</p>
      {recusada !== undefined && (
        <p role="status" className="text-sm font-semibold text-danger-ink">
          Recusada em {formatDateTime(recusada.em)}: {recusada.versao ?? OWN}. {recusada.motivo}
        </p>
      )}
      <TextField
        label="Nova versão"
        hint="Vazio usa a do próprio sistema."
        placeholder="2.3000.1023223821"
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        error={problem}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <div>
        <Button
          type="submit"
          variant="primary"
          size="touch"
          busy={testing}
          disabled={!changed || problem !== undefined}
        >
          {testing ? 'Testando em uma sessão…' : 'Testar e usar'}
        </Button>
      </div>
    </form>
  )
}
