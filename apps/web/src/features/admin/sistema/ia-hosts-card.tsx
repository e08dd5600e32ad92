import { type HostsIa, hostsIaSchema } from '@balcao/contract/entities/provedor-ia'
import { hostsIaRoute, salvarHostsIaRoute } from '@balcao/contract/routes/admin-ia'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { Button } from '#shared/ui/button.tsx'
import { Field } from '#shared/ui/field.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { attempt } from '#features/admin/usuarios/usuario-actions.ts'
import { FoldedCard } from './folded-card.tsx'

const HOSTS_KEY = ['admin', 'ia'] as const

/** Hosts that accounts may choose as their own provider of the AI. */
export function IaHostsCard() {
  return (
    <FoldedCard
      heading="Endereços da IA"
      text="As contas podem usar um servidor de IA próprio, como Ollama, só nos endereços desta lista. Um nome daqui pode levar à rede interna, então permita só o que você conhece."
    >
      <LoadedHosts />
    </FoldedCard>
  )
}

function LoadedHosts() {
  const query = useQuery({
    queryKey: HOSTS_KEY,
    queryFn: ({ signal }): Promise<HostsIa> => call(hostsIaRoute, { signal }),
  })
  return (
    <QueryState query={query} skeleton={<Skeleton className="h-32 w-full" />}>
      {({ hosts }) => <HostsForm key={hosts.join()} hosts={hosts} />}
    </QueryState>
  )
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((host) => host.trim())
    .filter((host) => host !== '')

function HostsForm({ hosts }: HostsIa) {
  const client = useQueryClient()
  const [typed, setTyped] = useState(hosts.join('\n'))
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (wanted: HostsIa) => call(salvarHostsIaRoute, { body: wanted }),
    onSettled: () => client.invalidateQueries({ queryKey: HOSTS_KEY }),
  })
  const wanted = { hosts: linesOf(typed) }
  const checked = hostsIaSchema.safeParse(wanted)
  const problem = checked.success ? undefined : checked.error.issues[0]?.message
  const changed = wanted.hosts.join() !== hosts.join()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (problem !== undefined || isPending) return
    void attempt('Erro ao salvar os endereços', async () => {
      await mutateAsync(wanted)
      notify.sucesso('Endereços da IA salvos.')
    })
  }
  return (
    <form noValidate className="grid gap-3" onSubmit={submit}>
      <Field
        label="Endereços permitidos"
        hint="Um por linha, como ollama.interno ou ia.exemplo.com:8443. Só com https."
        error={problem}
      >
        {(link) => (
          <textarea
            {...link}
            rows={4}
            spellCheck={false}
            autoCapitalize="none"
            placeholder="ollama.interno"
            className="field field-sizing-content max-h-80 min-h-24 resize-y"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </Field>
      <div>
        <Button
          type="submit"
          variant="primary"
          size="touch"
          busy={isPending}
          disabled={!changed || problem !== undefined}
        >
          {isPending ? 'Salvando…' : 'Salvar endereços'}
        </Button>
      </div>
    </form>
  )
}
