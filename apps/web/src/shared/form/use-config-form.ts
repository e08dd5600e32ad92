import { useState } from 'react'
import { isOutdated } from '#shared/form/outdated.ts'

export type FormErrors = Readonly<Record<string, string>>

export interface FormDraft<Base, Values> {
  /** The server's state that the draft started from. A save sends its version, so that the server detects conflicts. */
  readonly base: Base
  readonly stored: Values
  readonly values: Values
  /** Marks an edit that an undo may take back. A save, discard or reload removes the mark. */
  readonly mark?: object
}

export interface ConfigFormOptions<Base, Values> {
  readonly loaded: Base
  /** `previous`: the values on screen, for keys that must survive. */
  readonly valuesOf: (base: Base, previous?: Values) => Values
  readonly send: (base: Base, values: Values) => Promise<Base>
  readonly equal?: (values: Values, stored: Values) => boolean
}

export type FormChange<Values> = Partial<Values> | ((current: Values) => Partial<Values>)

export type SaveOutcome<Base> =
  | { readonly tipo: 'salva'; readonly base: Base }
  | { readonly tipo: 'conflito' | 'recusada'; readonly error: unknown }

const sameJson = (values: unknown, stored: unknown): boolean => JSON.stringify(values) === JSON.stringify(stored)

/** The fields whose value differs from the stored one. */
export function changedFields<Fields extends object>(values: Fields, stored: Fields): Fields {
  const changed = { ...values }
  for (const field in changed) if (changed[field] === stored[field]) Reflect.deleteProperty(changed, field)
  return changed
}

/** The stored values, with the edits made while `sent` was being saved. */
function keepLaterEdits<Values extends object>(stored: Values, current: Values, sent: Values): Values {
  const merged = { ...stored }
  for (const field in current) if (current[field] !== sent[field]) merged[field] = current[field]
  return merged
}

/**
 * State of a form over data of the server: values, local edits, errors and conflicts. `save` sets `conflict` when
 * another window saved first; the edits and their base stay.
 */
export function useConfigForm<Base, Values extends object>(options: ConfigFormOptions<Base, Values>) {
  const { loaded, valuesOf, send, equal = sameJson } = options
  const open = (base: Base, previous?: Values): FormDraft<Base, Values> => {
    const values = valuesOf(base, previous)
    return { base, stored: values, values }
  }
  const [draft, setDraft] = useState(() => open(loaded))
  const [errors, setErrors] = useState<FormErrors>({})
  const [conflict, setConflict] = useState(false)
  const [saving, setSaving] = useState(false)
  const { base, stored, values, mark } = draft
  const changed = values !== stored && !equal(values, stored)
  if (!changed && !saving && mark === undefined && loaded !== base) setDraft(open(loaded, values))

  function adopt(fresh: Base): void {
    setDraft(open(fresh))
    setErrors({})
    setConflict(false)
  }

  async function save(): Promise<SaveOutcome<Base>> {
    setSaving(true)
    try {
      const saved = await send(base, values)
      setDraft((now) => {
        const next = open(saved, now.values)
        if (now.values === values || now.values === now.stored) return next
        const later = keepLaterEdits(next.stored, now.values, values)
        // A new mark: an undo started before the save must not revert the saved values.
        return { ...next, values: later, ...(now.mark === undefined ? {} : { mark: {} }) }
      })
      setErrors({})
      setConflict(false)
      return { tipo: 'salva', base: saved }
    } catch (error) {
      const outdated = isOutdated(error)
      setConflict(outdated)
      return { tipo: outdated ? 'conflito' : 'recusada', error }
    } finally {
      setSaving(false)
    }
  }

  return {
    ...{ draft, base, stored, values, changed, saving, errors, conflict, save, setErrors, adopt },
    change: (fields: FormChange<Values>): void =>
      setDraft((now) => {
        const fresh = typeof fields === 'function' ? fields(now.values) : fields
        return { ...now, values: { ...now.values, ...fresh } }
      }),
    update: setDraft,
    discard: (): void => adopt(base),
    closeConflict: (): void => setConflict(false),
  }
}
