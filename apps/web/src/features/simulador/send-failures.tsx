import { falhasSimuladorRoute } from '@balcao/contract/routes/simulador'
import { useState, type FormEvent } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'
import { Field } from '#shared/ui/field.tsx'

const FAILURES_MAX = 1000

/** For training: the next sends fail, so the retries can be watched. */
export function SendFailures() {
  const [written, setEscrito] = useState('')
  const [ocupado, setOcupado] = useState(false)
  const programar = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setOcupado(true)
    try {
      const requests = Math.min(FAILURES_MAX, Math.max(0, Math.trunc(Number(written)) || 0))
      const { envios } = await call(falhasSimuladorRoute, { body: { envios: requests } })
      setEscrito(String(envios))
      notify.info(
        envios === 0
          ? 'Nenhum envio vai falhar.'
          : `${envios === 1 ? 'O próximo envio vai falhar' : `Os próximos ${envios} envios vão falhar`}, para você ver o reenvio.`,
      )
    } catch (error) {
      notify.erro(errorMessage(error))
    } finally {
      setOcupado(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void programar(event)}>
      <Field label="Falhas de envio" hint="Quantos dos próximos envios do bot falham. Serve para treinar.">
        {(link) => (
          <span className="flex gap-2">
            <input
              {...link}
              type="number"
              min={0}
              max={FAILURES_MAX}
              inputMode="numeric"
              placeholder="0"
              className="field min-w-0 flex-1"
              value={written}
              onChange={({ currentTarget }) => setEscrito(currentTarget.value)}
            />
            <Button type="submit" busy={ocupado}>
              Programar
            </Button>
          </span>
        )}
      </Field>
    </form>
  )
}
