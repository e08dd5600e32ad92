import '../src/app/styles.css'
import { afterEach } from 'vitest'

document.documentElement.lang = 'pt-BR'

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  document.documentElement.dataset['theme'] = 'light'
})
