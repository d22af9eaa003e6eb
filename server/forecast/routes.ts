import type { forecast } from '../../contract/forecast.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { readForecast } from './read-forecast.ts'

export const forecastRoutes = ({ db }: Services): Handlers<typeof forecast> => ({
  read: (_, { now }) => readForecast(db, now),
})
