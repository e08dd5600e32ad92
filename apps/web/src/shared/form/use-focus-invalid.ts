import { useEffect } from 'react'

/** Focuses the first field with an error, in the open dialog or on the page, each time the errors are set. */
export function useFocusInvalid(errors: object): void {
  useEffect(() => {
    const scope = document.querySelector('dialog[open]') ?? document
    scope.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
}
