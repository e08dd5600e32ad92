import type { Agendada } from '@balcao/contract/entities/agendada'
import { agendarMensagemRoute } from '@balcao/contract/routes/atendimento-agendadas'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { applyAgendada, useAgendadas } from '#shared/data/contatos/agendadas.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { initialFocus } from '#shared/form/initial-focus.ts'
import { instantOf } from '#shared/form/local-time.ts'
import { useFocusInvalid } from '#shared/form/use-focus-invalid.ts'
import { formatDateTime } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Checkbox } from '#shared/ui/checkbox.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Field } from '#shared/ui/field.tsx'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { readDraft, writeDraft } from '#features/atendimento/envio/drafts.ts'
import { focusChat } from '#features/atendimento/focus-chat.ts'
import { AGENDADA_REASONS, AGENDADA_STATES, useCancelAgendada } from './agendada-state.ts'
import { formatSendTime, scheduleErrorsOf, suggestTime, timeShortcuts } from './schedule-time.ts'

function AgendadaItem({ agendada }: { agendada: Agendada }) {
  const { mensagem, enviarEm, autor, estado, motivo } = agendada
  const { label, tone } = AGENDADA_STATES[estado]
  const { mutate, isPending } = useCancelAgendada(agendada)
  return (
    <li className="grid gap-1 rounded-xl border p-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-semibold tabular-nums">{formatDateTime(enviarEm)}</span>
        <Chip tone={tone} dot>
          {label}
        </Chip>
        {estado === 'marcada' && (
          <Button size="sm" className="ml-auto" busy={isPending} onClick={() => mutate()}>
            Cancelar envio
          </Button>
        )}
      </div>
      <p className="line-clamp-3 break-words whitespace-pre-wrap">{mensagem}</p>
      <p className="text-sm text-muted">
        {autor}
        {motivo !== undefined && ` · ${AGENDADA_REASONS[motivo]}`}
      </p>
    </li>
  )
}

function AgendadaList({ conversaId }: { conversaId: string }) {
  const query = useAgendadas(conversaId)
  const skeleton = (
    <div role="status" aria-label="Carregando as mensagens agendadas">
      <Skeleton className="h-20 w-full" />
    </div>
  )
  return (
    <section aria-labelledby="agendadas-da-conversa" className="mt-5 border-t pt-4">
      <h3 id="agendadas-da-conversa" className="mb-2 font-bold">
        Mensagens agendadas
      </h3>
      <QueryState query={query} skeleton={skeleton}>
        {(agendadas) =>
          agendadas.length === 0 ? (
            <p className="text-sm text-muted">Nenhuma mensagem agendada nesta conversa.</p>
          ) : (
            <ul className="grid gap-2">
              {agendadas.map((agendada) => (
                <AgendadaItem key={agendada.id} agendada={agendada} />
              ))}
            </ul>
          )
        }
      </QueryState>
    </section>
  )
}

interface ScheduleFormProps {
  readonly conversaId: string
  readonly onClose: () => void
}

function useSchedule({ conversaId, onClose }: ScheduleFormProps) {
  const client = useQueryClient()
  const [mensagem, setMensagem] = useState(() => readDraft(conversaId))
  const [time, setTime] = useState(() => suggestTime(Date.now()))
  const [cancelarSeResponder, setCancel] = useState(true)
  const [errors, setErrors] = useState<ReturnType<typeof scheduleErrorsOf>>({})
  useFocusInvalid(errors)
  const { mutate, isPending, error } = useMutation({
    networkMode: 'always',
    mutationFn: () => {
      const body = { mensagem, enviarEm: new Date(instantOf(time)).toISOString(), cancelarSeResponder }
      return call(agendarMensagemRoute, { params: { id: conversaId }, body })
    },
    onSuccess: ({ agendada }) => {
      applyAgendada(client, { conversaId, agendada })
      notify.sucesso(`Agendada para ${formatSendTime(agendada.enviarEm, Date.now())}`)
      if (readDraft(conversaId) === mensagem) writeDraft(conversaId, '')
      onClose()
      // The button that opened the dialog is gone with its draft.
      requestAnimationFrame(focusChat)
    },
  })
  const submit = (): void => {
    const found = scheduleErrorsOf({ mensagem, time }, Date.now())
    setErrors(found)
    if (Object.keys(found).length === 0 && !isPending) mutate()
  }
  const failure = error === null ? null : `Erro ao agendar mensagem: ${errorMessage(error)}`
  return {
    ...{ mensagem, setMensagem, time, setTime, cancelarSeResponder, setCancel },
    ...{ errors, failure, isPending, submit },
  }
}

interface TimeShortcutsProps {
  readonly time: string
  readonly onChoose: (time: string) => void
}

function TimeShortcuts({ time, onChoose }: TimeShortcutsProps) {
  const [shortcuts] = useState(() => timeShortcuts(Date.now()))
  return (
    <div role="group" aria-label="Horários prontos" className="-mt-2 flex flex-wrap gap-2">
      {shortcuts.map(({ label, time: ready }) => (
        <Button
          key={label}
          size="sm"
          aria-pressed={time === ready}
          className="aria-pressed:bg-brand-soft aria-pressed:text-brand-ink"
          onClick={() => onChoose(ready)}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}

function ScheduleForm(props: ScheduleFormProps) {
  const { mensagem, setMensagem, time, setTime, cancelarSeResponder, setCancel, ...form } = useSchedule(props)
  const { errors, failure, isPending, submit } = form
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Field label="Mensagem" error={errors.mensagem}>
        {(link) => (
          <textarea
            {...link}
            ref={initialFocus}
            rows={3}
            value={mensagem}
            maxLength={4096}
            className="field field-sizing-content max-h-60 min-h-17 resize-y"
            onChange={({ currentTarget }) => setMensagem(currentTarget.value)}
          />
        )}
      </Field>
      <TextField
        label="Enviar em"
        type="datetime-local"
        value={time}
        error={errors.time}
        onChange={({ currentTarget }) => setTime(currentTarget.value)}
      />
      <TimeShortcuts time={time} onChoose={setTime} />
      <Checkbox
        label="Cancelar se o cliente responder antes"
        checked={cancelarSeResponder}
        onChange={({ currentTarget }) => setCancel(currentTarget.checked)}
      />
      {failure !== null && <Notice tone="erro" title={failure} />}
      <FormActions onCancel={props.onClose} busy={isPending} submitLabel={isPending ? 'Agendando…' : 'Agendar'} />
    </form>
  )
}

export interface ScheduleDialogProps {
  readonly conversaId: string
  readonly onClose: () => void
}

export function ScheduleDialog({ conversaId, onClose }: ScheduleDialogProps) {
  return (
    <Dialog open title="Enviar mais tarde" onClose={onClose}>
      <ScheduleForm {...{ conversaId, onClose }} />
      <AgendadaList conversaId={conversaId} />
    </Dialog>
  )
}
