import { useEffect } from 'react'

export function useFocusInvalid(errors: object): void {
  useEffect(() => {
    const scope = document.querySelector('dialog[open]') ?? document
    scope.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
}
